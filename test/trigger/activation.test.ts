import { DocumensoTrigger } from '../../nodes/DocumensoTrigger/DocumensoTrigger.node';
import { errorOf } from '../support/errors';
import { hookContext } from '../support/n8n';
import { credentialFor } from '../support/service';
import { useService } from '../support/suite';

const suite = useService();
const { create } = new DocumensoTrigger().webhookMethods.default;

async function activate(webhookSecret: string, options = {}) {
	const parameters = { events: ['DOCUMENT_COMPLETED'], options };
	return await create.call(
		hookContext(credentialFor(suite.service, { webhookSecret }), parameters),
	);
}

test('a workflow is activated with a webhook secret', async () => {
	expect(await activate('secret of the webhook')).toBe(true);
});

test('without a webhook secret it refuses, and says where to enter one', async () => {
	const error = await errorOf(async () => await activate(''));
	expect(error.message).toContain('The credential has no webhook secret: enter one there');
	expect(error.name).toBe('NodeOperationError');
	expect(error.description).toContain('Documenso API credential');
});

test('without a webhook secret it runs once unverified deliveries are accepted', async () => {
	expect(await activate('', { acceptUnverified: true })).toBe(true);
});
