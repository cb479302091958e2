import { setTimeout as delay } from 'node:timers/promises';
import type { SignatureLevel, Team, User } from './entities';
import type { ApiToken } from './http/auth';
import type { CapacityOptions } from './http/capacity';
import type { RateLimitOptions } from './http/rateLimit';
import type { DeliveryOrder } from './webhooks/dispatcher';

/** The only token the local Documenso accepts unless you pass others. */
export const DEMO_TOKEN = 'api_local_emulator_only';

export const DEMO_USER: User = { id: 1, name: 'Demo Owner', email: 'owner@example.com' };
export const DEMO_TEAM: Team = { id: 1, url: 'demo', name: 'Demo Team' };

export interface EmulatorOptions {
	/** Any free port by default. */
	port?: number;
	host?: string;
	/** The names, besides this host and `localhost`, at which people may reach it. */
	allowHosts?: readonly string[];
	/** The path at which a reverse proxy would serve Documenso: `/sign-app`. */
	basePath?: string;
	seed?: 'empty' | 'demo';
	tokens?: readonly ApiToken[];
	rateLimit?: RateLimitOptions;
	clock?: () => Date;
	/** How long `passLater` of an interceptor takes. */
	sleep?: (milliseconds: number) => Promise<void>;
	/** Time from the last signature until the document is COMPLETED. */
	sealDelayMs?: number;
	/** Added to every API response, as a network would. */
	latencyMs?: number;
	/** By default no call waits for another one. */
	capacity?: CapacityOptions;
	/** How long a webhook may take to respond. */
	webhookTimeoutMs?: number;
	deliveries?: DeliveryOrder;
	/** Determines the order of `concurrent` deliveries. */
	deliverySeed?: number;
	/** As the service does (documenso-api.md: Deliveries); then nothing can be delivered to this machine. */
	refusePrivateUrls?: boolean;
	maxFileBytes?: number;
	/** Whether the server that converts Word files is set up. */
	convertsWordFiles?: boolean;
	/** Of new documents; `AES` or `QES` with a signing service. */
	signatureLevel?: SignatureLevel;
}

export type Settings = ReturnType<typeof withDefaults>;

/** An option that is undefined gets its default too. */
export function withDefaults(options: EmulatorOptions) {
	return {
		port: options.port ?? 0,
		host: options.host ?? '127.0.0.1',
		allowHosts: options.allowHosts ?? [],
		basePath: options.basePath ?? '',
		seed: options.seed ?? 'empty',
		tokens: options.tokens ?? [{ token: DEMO_TOKEN, user: DEMO_USER, team: DEMO_TEAM }],
		rateLimit: options.rateLimit ?? { limit: 1000, windowMs: 60_000 },
		clock: options.clock ?? (() => new Date()),
		sleep: options.sleep ?? (async (milliseconds: number) => await delay(milliseconds)),
		sealDelayMs: options.sealDelayMs ?? 150,
		latencyMs: options.latencyMs ?? 0,
		capacity: options.capacity,
		// The service waits 10 s.
		webhookTimeoutMs: options.webhookTimeoutMs ?? 10_000,
		deliveries: options.deliveries ?? 'inOrder',
		deliverySeed: options.deliverySeed ?? 1,
		refusePrivateUrls: options.refusePrivateUrls ?? false,
		// The service's default: 50 MB.
		maxFileBytes: options.maxFileBytes ?? 50_000_000,
		convertsWordFiles: options.convertsWordFiles ?? false,
		signatureLevel: options.signatureLevel ?? 'SES',
	};
}
