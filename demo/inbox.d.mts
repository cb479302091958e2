export interface Inbox {
	webhookUrl: string;
	messages: Array<{ text: string }>;
	stop(): void;
}

/** With port 0, any free port is used. */
export function startInbox(options: { port: number }): Promise<Inbox>;
