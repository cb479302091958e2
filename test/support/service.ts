import { DEMO_TOKEN, startEmulator } from '../../emulator';
import type { Credential } from './n8n';

export type Service = Awaited<ReturnType<typeof startEmulator>>;

/** The credential of a user of this service. */
export function credentialFor(service: Service, changes: Partial<Credential> = {}): Credential {
	return {
		baseUrl: service.url,
		apiToken: DEMO_TOKEN,
		webhookSecret: '',
		webhookHeader: '',
		...changes,
	};
}

/** The calls that arrived, as `POST /envelope/create`. */
export function lines(service: Service): string[] {
	return service.calls.map(({ method, path }) => `${method} ${path}`);
}

/** The JSON that the first call of this kind carried; of a form, its `payload`. */
export function sentTo(service: Service, line: string): Record<string, unknown> {
	const call = service.calls.find(({ method, path }) => `${method} ${path}` === line);
	if (!call) throw new Error(`No ${line} among: ${lines(service).join(', ')}`);
	const body = call.body as { payload?: Record<string, unknown> } & Record<string, unknown>;
	return body.payload ?? body;
}
