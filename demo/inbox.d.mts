export interface Inbox {
	webhookUrl: string;
	messages: Array<{ text: string }>;
	stop(): void;
}

/** Port 0 is any free one. */
export function startInbox(options: { port: number }): Promise<Inbox>;
