import type { IRunExecutionData } from 'n8n-workflow';

export interface Execution {
	id: string;
	status: string;
	finished: boolean;
	data?: IRunExecutionData;
}

export class N8nRest {
	cookie: string;
	constructor(url: string, cookie?: string);
	request(method: string, path: string, body?: unknown): Promise<unknown>;
	publish(workflowId: string): Promise<void>;
	run(workflowId: string, triggerName: string, timeoutMs: number): Promise<Execution>;
	execution(id: string): Promise<Execution>;
}
