import type { Inbox } from '../../demo/inbox.mjs' with { 'resolution-mode': 'import' };

/** Accepts messages as Slack does: a new inbox for each test. */
export function useInbox(): Pick<Inbox, 'messages' | 'webhookUrl'> {
	const state: { inbox?: Inbox } = {};
	const current = () => {
		if (!state.inbox) throw new Error('The inbox has not been started');
		return state.inbox;
	};
	beforeEach(async () => {
		const { startInbox } = await import('../../demo/inbox.mjs');
		state.inbox = await startInbox({ port: 0 });
	});
	afterEach(() => {
		current().stop();
	});
	return {
		get messages() {
			return current().messages;
		},
		get webhookUrl() {
			return current().webhookUrl;
		},
	};
}
