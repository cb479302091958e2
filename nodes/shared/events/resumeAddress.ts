import type { IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

import { resumeAddressIn } from '../waiting/reach';
import type { ResumeAddress } from '../waiting/resumeRequest';

/** Where this n8n resumes executions, by its public address. */
export function publicAddress(context: IWebhookFunctions | IPollFunctions): ResumeAddress {
	// Polls have the method, too, which their type lacks.
	const evaluating = context as unknown as { evaluateExpression(expression: string): string };
	// In a trigger, the execution's ID in it is a placeholder.
	const resumeUrl = new URL(evaluating.evaluateExpression('{{ $execution.resumeUrl }}'));
	return { url: resumeAddressIn(resumeUrl), isOwn: false };
}

/**
 * The socket that the delivery came to comes first, because the process behind it resumes executions as well, and the
 * public address may not lead to it from inside. Nothing is taken from the delivery itself.
 */
export function addressesFor(context: IWebhookFunctions): ResumeAddress[] {
	const shared = publicAddress(context);
	const { localAddress, localPort } = context.getRequestObject().socket;
	if (!localAddress || !localPort) return [shared];
	const host = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
	const url = `http://${host}:${localPort}${new URL(shared.url).pathname}`;
	return [{ url, isOwn: true }, shared];
}
