import type { IConnections, INode, IPinData } from 'n8n-workflow';

import type { WebhookEvent } from '../emulator';

export interface Example {
	id: string;
	name: string;
	active: boolean;
	nodes: INode[];
	connections: IConnections;
	pinData?: IPinData;
}

interface Credential {
	id: string;
	name: string;
	type: string;
}

interface Template {
	id: string;
	title: string;
}

/** `file` is the example's; the rest depends on this computer. */
export function loadExample(
	file: string,
	credential: Credential,
	here?: { template?: Template; slackUrl?: string; folder?: string },
): Promise<Example>;

export function webhooksOf(
	workflows: Example[],
	n8nUrl: string,
): Array<{ url: string; events: WebhookEvent[] }>;
