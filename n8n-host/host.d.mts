import type { N8nRest } from './rest.mjs';

export interface N8n {
	url: string;
	rest: N8nRest;
	/** Signs a browser in, and opens this path of n8n. */
	signInUrl(path: string): string;
	/** `pid` is also the ID of its process group, with n8n's task runner in it. */
	child: { pid: number };
	stop(): Promise<void>;
}

export function startN8n(options: {
	node: string;
	stateDir: string;
	port: number;
	packageTarball: string;
	env?: Record<string, string>;
	fileFolders?: string[];
}): Promise<N8n>;
