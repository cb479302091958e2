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

describe.each(['', ' \t '])('without a webhook secret (%j)', (none) => {
	test('it refuses, and says where to enter one', async () => {
		const error = await errorOf(async () => await activate(none));
		expect(error.message).toContain('The credential has no webhook secret: enter one there');
		expect(error.name).toBe('NodeOperationError');
		expect(error.description).toContain('Documenso API credential');
	});

	test('it runs once unverified deliveries are accepted', async () => {
		expect(await activate(none, { acceptUnverified: true })).toBe(true);
	});
});
