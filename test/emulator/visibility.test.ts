import { DEMO_TEAM, DEMO_TOKEN, DEMO_USER, startEmulator, type Emulator } from '../../emulator';
import { call, createDocument } from './api';

const role = {
	member: { token: 'api_member', user: { id: 2, name: 'Max', email: 'max@example.com' } },
	manager: { token: 'api_manager', user: { id: 3, name: 'Mia', email: 'mia@example.com' } },
};

let service: Emulator;

beforeAll(async () => {
	service = await startEmulator({
		tokens: [
			{ token: DEMO_TOKEN, user: DEMO_USER, team: DEMO_TEAM },
			{ ...role.member, team: DEMO_TEAM, role: 'MEMBER' },
			{ ...role.manager, team: DEMO_TEAM, role: 'MANAGER' },
		],
	});
});
afterAll(async () => await service.close());
beforeEach(async () => await service.reset());

test.each([
	['member', 'MANAGER_AND_ABOVE', 401],
	['member', 'ADMIN', 401],
	['member', 'EVERYONE', 200],
	['manager', 'ADMIN', 401],
	['manager', 'MANAGER_AND_ABOVE', 200],
] as const)(
	"a %s who sets the visibility of somebody else's document to %s: %i",
	async (who, visibility, status) => {
		const envelopeId = await createDocument(service);
		const body = { envelopeId, data: { visibility } };
		const answer = await call(service, 'POST /envelope/update', body, role[who].token);
		expect(answer.status).toBe(status);
		if (status === 200) return;
		expect(answer.body.message).toBe(
			'You do not have permission to update the envelope visibility',
		);
		expect(service.store.envelopes.get(envelopeId)?.visibility).toBe('EVERYONE');
	},
);

test('the owner chooses any visibility', async () => {
	const envelopeId = await createDocument(service);
	const mine = service.store.envelopes.get(envelopeId);
	if (mine) mine.user = role.member.user;
	const body = { envelopeId, data: { visibility: 'ADMIN' } };
	expect((await call(service, 'POST /envelope/update', body, role.member.token)).status).toBe(200);
});
