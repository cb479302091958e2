import type { IDataObject } from 'n8n-workflow';

import { byId, tenants, useService } from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

const suite = useService();

const MAY_BE_DONE = 'may have done it';

/** What a proxy makes of an answer: JSON, but without what Documenso's answer holds. */
function garble(match: string) {
	suite.service.fail({ match, status: 200, body: {} });
}

const twice = { maxTries: 2 };

test('a resend whose document could not be read is tried again, because nothing was sent yet', async () => {
	const { id } = await suite.document('createAndSend');
	garble(`GET /envelope/${id}`);
	const resend = { resource: 'document', operation: 'resend', documentId: byId(id) };
	const { items, error } = await suite.run(resend, tenants(1), twice);
	expect(error).toBeUndefined();
	expect(items[0]?.json.resentTo).toHaveLength(1);
	expect(suite.calls('POST /envelope/redistribute')).toHaveLength(1);
});

describe('an error about an answer to a read does not say that something may be done', () => {
	const reads: Array<[string, string, IDataObject]> = [
		['Get Many', 'GET /envelope', { operation: 'getAll', returnAll: true }],
		[
			'Get Many by IDs',
			'POST /envelope/get-many',
			{ operation: 'getByIds', id: '={{ $json.id }}' },
		],
		['Download', 'GET /envelope/*', { operation: 'download' }],
		['Resend', 'GET /envelope/*', { operation: 'resend' }],
		['Send and Wait', 'POST /envelope/get-many', { operation: 'sendUntilSigned' }],
	];
	test.each(reads)('%s', async (_, line, parameters) => {
		const { id } = await suite.document('createAndSend');
		suite.service.fail({ match: line, status: 200, body: {}, times: 99 });
		const { error } = await suite.run({
			resource: 'document',
			documentId: byId(id),
			...parameters,
			...('id' in parameters ? { id } : {}),
		});
		expect(error?.message).toBe("Documenso's answer could not be read");
		expect(error?.description).not.toContain(MAY_BE_DONE);
	});
});

describe('a change whose answer could not be read is not sent again', () => {
	const place = { page: 1, positionX: 10, positionY: 10, width: 20, height: 5 };
	const changes: Array<[string, string, IDataObject]> = [
		[
			'Field: Add',
			'POST /envelope/field/create-many',
			{ resource: 'field', operation: 'add', type: 'DATE', ...place },
		],
		[
			'Recipient: Add',
			'POST /envelope/recipient/create-many',
			{ resource: 'recipient', operation: 'add', email: 'new@example.com' },
		],
	];
	test.each(changes)('%s', async (_, line, parameters) => {
		const { id, recipients } = await suite.document();
		garble(line);
		const given = { envelopeId: byId(id), recipientId: byId(recipients[0]?.id), ...parameters };
		const { error } = await suite.run(given, tenants(1), twice);
		expect(error?.message).toContain('An earlier try failed, and is not retried');
		expect(error?.description).toContain(MAY_BE_DONE);
		expect(suite.calls(line)).toHaveLength(1);
	});
});
