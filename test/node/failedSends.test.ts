import type { IDataObject } from 'n8n-workflow';

import { refusal } from '../support/refusal';
import { fillFromRow as use, tina, USE, useService } from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

const suite = useService({ seed: 'demo' });
const { calls, documents, upload } = suite;

const states = () => documents().map(({ status }) => status);

const deleting = { additionalFields: { ifSendingFails: 'delete' } };

/** From now on, documents from the template cannot be sent, although everything in it looks right. */
function forbidSending() {
	const [tenant] = suite.template().recipients;
	if (!tenant) throw new Error('The template has lost its recipient');
	tenant.email = '';
	tenant.authOptions = { accessAuth: ['ACCOUNT'], actionAuth: [] };
	return { ...use, columns: { mappingMode: 'defineBelow', value: {} } };
}

const placeholders = (changes: IDataObject = {}) => ({
	additionalFields: { allowPlaceholders: true, ...changes },
});

describe('a document that was created and could not be sent', () => {
	test('is kept and named by default, with the reason that the first answer hides', async () => {
		const { error } = await suite.run({ ...forbidSending(), ...placeholders() });
		expect(error?.message).toMatch(/^Recipient \d+ requires an email because they have auth/);
		const [draft] = documents();
		expect(draft?.status).toBe('DRAFT');
		expect(error?.description).toContain(`${draft?.id ?? ''} was created`);
	});

	test('is deleted on request, and the error says so', async () => {
		const { error } = await suite.run({
			...forbidSending(),
			...placeholders({ ifSendingFails: 'delete' }),
		});
		expect(documents()).toHaveLength(0);
		expect(error?.description).toMatch(/^The draft envelope_\w+ was deleted\./);
	});

	test('is kept where it cannot be deleted', async () => {
		suite.service.fail({ match: 'POST /envelope/delete', ...refusal('No') });
		const { error } = await suite.run({
			...forbidSending(),
			...placeholders({ ifSendingFails: 'delete' }),
		});
		expect(error?.description).toContain(`${documents()[0]?.id ?? ''} was created`);
	});

	test('is sent when only the first attempt failed', async () => {
		const body = {
			message: 'x',
			data: { appError: { code: 'DOCUMENT_SEND_FAILED', message: 'x' } },
		};
		suite.service.fail({ match: USE, status: 400, takesEffect: true, body });
		const { error } = await suite.run(use, [{ json: tina }]);
		expect(error).toBeUndefined();
		expect(states()).toEqual(['PENDING']);
	});

	test('is not deleted while nobody knows whether it is being sent', async () => {
		suite.service.fail({ match: 'POST /envelope/distribute', cut: 'before' });
		const { error } = await upload(deleting);
		expect(states()).toEqual(['DRAFT']);
		expect(error?.description).toContain(`${documents()[0]?.id ?? ''} was created`);
	});

	test('what was sent in spite of an error is not deleted', async () => {
		const body = { message: 'Busy' };
		suite.service.fail({
			match: 'POST /envelope/distribute',
			status: 400,
			takesEffect: true,
			body,
		});
		await upload(deleting);
		expect(documents()).toMatchObject([{ status: 'PENDING' }]);
		expect(calls('POST /envelope/delete')).toHaveLength(0);
	});

	test('a send that the service refuses names the draft that is left', async () => {
		suite.service.fail({
			match: 'POST /envelope/distribute',
			status: 400,
			body: {
				message: 'No',
				code: 'INTERNAL_SERVER_ERROR',
				data: {
					code: 'RECIPIENT_LIMIT_EXCEEDED',
					appError: { code: 'RECIPIENT_LIMIT_EXCEEDED', message: 'Too many recipients' },
				},
			},
		});
		const { error } = await upload();
		const [draft] = documents();
		expect(error?.message).toContain('Too many recipients');
		expect(error?.description).toContain(`${draft?.id ?? ''} was created`);
		expect(documents()).toHaveLength(1);
	});

	test('a send that lacks a signature field names the signer and the draft', async () => {
		const { error } = await upload({ fields: {}, placeholdersInPdf: true });
		const [draft] = documents();
		expect(error?.message).toContain(
			'Tina (tenant@example.com) is a signer without a signature field',
		);
		expect(error?.description).toContain(`The draft ${draft?.id ?? ''} was not sent.`);
	});

	test('is named to programs too, though the answer lacks its ID', async () => {
		const { items } = await suite.run({ ...forbidSending(), ...placeholders() }, [{ json: {} }], {
			onError: 'continueRegularOutput',
		});
		const [draft] = documents();
		expect(draft?.status).toBe('DRAFT');
		expect(items[0]?.json.details).toMatchObject({
			code: 'INVALID_REQUEST',
			documentId: draft?.id,
			description: expect.stringContaining(`${draft?.id ?? ''} was created`) as string,
		});
	});
});

describe('with Retry On Fail', () => {
	test('a document that was created and not sent is sent by the retry', async () => {
		suite.service.fail({
			match: 'POST /envelope/distribute',
			...refusal('Busy'),
		});
		const { error } = await upload({}, { maxTries: 2 });
		expect(error).toBeUndefined();
		expect(calls('POST /envelope/create')).toHaveLength(1);
		expect(states()).toEqual(['PENDING']);
	});

	test('a document that is known is not searched for', async () => {
		const line = 'POST /envelope/distribute';
		suite.service.fail({ match: line, ...refusal('Busy') });
		await upload({}, { maxTries: 2 });
		expect(calls('GET /envelope')).toHaveLength(0);
	});

	test('after a deleted draft another is made and sent', async () => {
		const line = 'POST /envelope/distribute';
		suite.service.fail({ match: line, ...refusal('Busy') });
		const { error } = await upload(deleting, { maxTries: 2 });
		expect(error).toBeUndefined();
		expect(documents()).toMatchObject([{ status: 'PENDING' }]);
	});

	test('a draft that one answer says is gone is found again when another one is compared with it', async () => {
		const gone = { message: 'Envelope not found', data: { code: 'NOT_FOUND' } };
		suite.service.fail({
			match: 'POST /envelope/distribute',
			...refusal('Busy'),
		});
		suite.service.fail({ match: 'GET /envelope/*', status: 404, body: gone });
		const { error } = await upload({}, { maxTries: 2 });
		expect(error).toBeUndefined();
		expect(documents().map(({ status }) => status)).toEqual(['PENDING']);
	});
});
