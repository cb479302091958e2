import type { Credential } from '../Documenso/transport/client';

export interface TriggerCredential extends Credential {
	webhookSecret?: unknown;
	webhookHeader?: unknown;
}
