import { DocumensoTrigger } from '../../nodes/DocumensoTrigger/DocumensoTrigger.node';
import { errorOf } from '../support/errors';
import { hookContext, type Credential } from '../support/n8n';

const credential: Credential = {
	baseUrl: 'http://localhost',
	apiToken: 'api_token',
	webhookSecret: 'secret of the webhook',
	webhookHeader: '',
};
const { create } = new DocumensoTrigger().webhookMethods.default;

async function activate(webhookSecret: string, options = {}) {
	const parameters = { events: ['DOCUMENT_COMPLETED'], options };
	return await create.call(hookContext({ ...credential, webhookSecret }, parameters));
}

test('a workflow is activated with a webhook secret', async () => {
	expect(await activate('secret of the webhook')).toBe(true);
});

test('without a webhook secret it refuses, and says where to enter one', async () => {
	const error = await errorOf(async () => await activate(''));
	expect(error.message).toContain('The credential has no webhook secret: enter one there');
	expect(error.description).toContain('Documenso API credential');
});

test('without a webhook secret it runs once unverified deliveries are accepted', async () => {
	expect(await activate('', { acceptUnverified: true })).toBe(true);
});
