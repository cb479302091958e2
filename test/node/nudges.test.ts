import { sealed } from '../../nodes/shared/envelope/marker';
import { nudge } from '../../nodes/shared/events/nudge';
import { pollContext } from '../support/n8n';
import { serveResumption } from '../support/resumption';
import { credentialFor } from '../support/service';
import { useService } from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

const suite = useService();

test('an execution that is busy for a minute gets about ten nudges in that time', async () => {
	const called: string[] = [];
	const message = 'The execution "7" is running already.';
	const n8n = await serveResumption(called, () => ({ status: 409, body: { message } }));
	const credential = { ...credentialFor(suite.service) };
	const { context } = pollContext(credentialFor(suite.service), {});
	const keys = { apiToken: credential.apiToken, instanceId: context.getInstanceId() };
	const externalId = sealed({ executionId: '7', token: 'a1'.repeat(32) }, keys);
	const limits = { timeout: 60_000, patience: 60_000 };
	const way = { credential, addresses: () => [{ url: n8n.address, isOwn: false }], ...limits };
	expect(await nudge(context, { id: 'envelope_a', externalId }, way)).toBe(false);
	expect(called.length).toBeGreaterThan(5);
	expect(called.length).toBeLessThanOrEqual(12);
	n8n.close();
});
