import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

import type { Resumption } from '../n8n/process';
import { asSeen } from '../n8n/values';

/**
 * What a waiting execution writes behind a document's external ID, so that events of the document lead back to it:
 * `n8n-wait:<instance>:<execution>:<sealed token>`. Whoever sees the document sees it, so the token with which n8n
 * resumes the execution is encrypted with the API token, which only our nodes have.
 */
export const MARKER_PREFIX = 'n8n-wait:';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const INSTANCE_LENGTH = 6;
/** A blank, and the longest marker: the ID of an execution may have 20 characters. */
export const MARKER_LENGTH = 1 + MARKER_PREFIX.length + INSTANCE_LENGTH + 1 + 20 + 1 + 80;

/** Documenso's limit (documenso-api.md: Creating). Whatever is longer did not come from it. */
export const EXTERNAL_ID_MAX_LENGTH = 255;

/** The secrets that make and open markers. */
export interface Keys {
	apiToken: string;
	/** n8n's own ID of this n8n: another n8n of the same team skips our markers. */
	instanceId: string;
}

export function sealed({ executionId, token }: Resumption, keys: Keys): string {
	const open = `${MARKER_PREFIX}${instanceOf(keys)}:${executionId}:`;
	const iv = randomBytes(IV_BYTES);
	const cipher = createCipheriv('aes-256-gcm', encryptionKey(keys), iv).setAAD(Buffer.from(open));
	const secret = Buffer.concat([cipher.update(Buffer.from(token, 'hex')), cipher.final()]);
	return open + Buffer.concat([iv, cipher.getAuthTag(), secret]).toString('base64url');
}

/** The executions of this n8n that wait for the document with the external ID, by their markers. */
export function resumptionsIn(externalId: string, keys: Keys): Map<string, Resumption> {
	if (externalId.length > EXTERNAL_ID_MAX_LENGTH) return new Map();
	const prefix = `${MARKER_PREFIX}${instanceOf(keys)}:`;
	const ours = markersIn(externalId).filter((marker) => marker.startsWith(prefix));
	// Making it takes longer than all else here.
	const key = ours.length > 0 ? encryptionKey(keys) : undefined;
	const resumptions = ours.flatMap((marker) => {
		const [executionId = '', text = ''] = marker.slice(prefix.length).split(':');
		if (!key || !/^[\w-]+$/.test(executionId)) return [];
		try {
			const bytes = Buffer.from(text, 'base64url');
			const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), {
				authTagLength: TAG_BYTES,
			})
				.setAAD(Buffer.from(marker.slice(0, -text.length)))
				.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
			const secret = bytes.subarray(IV_BYTES + TAG_BYTES);
			const token = Buffer.concat([decipher.update(secret), decipher.final()]).toString('hex');
			return [[marker, { executionId, token }] as const];
		} catch {
			// Forged, or made with another API token.
			return [];
		}
	});
	return new Map(resumptions);
}

/** The external ID with the marker in the place of an earlier one of the same execution: the node may be tried again. */
export function withMarker(externalId: string, marker: string): string {
	return [withoutMarker(externalId, marker), marker].filter(Boolean).join(' ');
}

/** The external ID without the marker of one execution; another one may still wait. */
export function withoutMarker(externalId: string, marker: string): string {
	const ofExecution = marker.slice(0, marker.lastIndexOf(':') + 1);
	const others = markersIn(externalId).filter((one) => !one.startsWith(ofExecution));
	return [withoutMarkers(externalId), ...others].filter(Boolean).join(' ');
}

/** Another external ID with the markers of this one: executions still wait for the document. */
export function withMarkersOf(externalId: string | null | undefined, changed: string | null) {
	return [changed, ...markersIn(externalId ?? '')].filter(Boolean).join(' ') || null;
}

/** The external ID as it was before executions began to wait; null if the document has none. */
export function withoutMarkers(externalId: string | null | undefined): string | null {
	const text = externalId ?? '';
	const at = text.startsWith(MARKER_PREFIX) ? 0 : text.indexOf(` ${MARKER_PREFIX}`);
	return (at < 0 ? text : text.slice(0, at)) || null;
}

/** The same as people see it. */
export function seenId(externalId: string | null | undefined): string {
	return asSeen(withoutMarkers(externalId) ?? '');
}

function markersIn(externalId: string): string[] {
	return externalId
		.slice(withoutMarkers(externalId)?.length ?? 0)
		.split(' ')
		.filter((word) => word.startsWith(MARKER_PREFIX));
}

function instanceOf({ instanceId }: Keys): string {
	return createHash('sha256').update(instanceId).digest('base64url').slice(0, INSTANCE_LENGTH);
}

function encryptionKey({ apiToken }: Keys): Buffer {
	return Buffer.from(hkdfSync('sha256', apiToken, '', 'n8n-nodes-documenso: waiting', 32));
}
