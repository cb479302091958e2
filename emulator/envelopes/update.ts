import type { Envelope } from '../entities';
import { AppError } from '../errors';
import type { Caller } from '../http/auth';
import type { Instance } from '../instance';
import type { UpdateEnvelope } from '../schemas/envelopes';
import { mergeMeta } from '../schemas/meta';
import {
	assertFolder,
	assertMayShowTo,
	assertNoActionAuth,
	assertNoSender,
	getVisible,
} from './access';
import { auditUpdated } from './auditLog';

/** The last three come only from the deprecated endpoints. */
type UpdateData = NonNullable<UpdateEnvelope['data']> &
	Partial<Pick<Envelope, 'publicTitle' | 'publicDescription' | 'useLegacyFieldInsertion'>>;

export function updateEnvelope(
	instance: Instance,
	caller: Caller,
	input: UpdateEnvelope & { data?: UpdateData },
): Envelope {
	const envelope = getVisible(instance, caller, input.envelopeId, 'Envelope not found');
	const data = input.data ?? {};
	assertNotLocked(envelope);
	if (data.templateType !== undefined && envelope.type !== 'TEMPLATE') {
		const message = 'You cannot update the template fields for document type envelopes';
		throw new AppError('INVALID_BODY', message);
	}
	if (Object.keys(data).length === 0 && Object.keys(input.meta ?? {}).length === 0) return envelope;
	assertMayShowTo(envelope, caller, data.visibility);
	assertNoActionAuth(data.globalActionAuth);
	assertNoSender(input.meta?.emailId);
	assertUpdatable(instance, caller, envelope, data);

	const before = { ...envelope };
	applyData(envelope, data);
	auditUpdated(instance, envelope, before);
	if (input.meta) envelope.documentMeta = mergeMeta(envelope.documentMeta, input.meta);
	envelope.updatedAt = instance.now();
	if (envelope.type === 'TEMPLATE') instance.emit('TEMPLATE_UPDATED', envelope, caller.team.id);
	return envelope;
}

const LOCKED = {
	PENDING: 'ENVELOPE_TSP_LOCKED',
	COMPLETED: 'ENVELOPE_COMPLETED',
	REJECTED: 'ENVELOPE_REJECTED',
	CANCELLED: 'ENVELOPE_CANCELLED',
};

/** What a signing service is to sign must not change once it is sent (documenso-api.md: Updating an envelope). */
function assertNotLocked({ signatureLevel, status }: Envelope): void {
	if (signatureLevel === 'SES' || status === 'DRAFT') return;
	const message = `Envelope is locked — AES/QES envelopes cannot be modified after leaving DRAFT (current status: ${status}).`;
	throw new AppError(LOCKED[status], message);
}

function assertUpdatable(
	instance: Instance,
	caller: Caller,
	{ type, status, title }: Envelope,
	data: UpdateData,
): void {
	if (data.folderId) assertFolder(instance, caller, data.folderId, type);
	const isOpen = status === 'DRAFT' || status === 'PENDING';
	if (data.title !== undefined && data.title !== title && !isOpen) {
		const message = 'Envelope title can only be updated while in draft or pending status';
		throw new AppError('INVALID_BODY', message);
	}
}

function applyData(envelope: Envelope, data: UpdateData): void {
	const { globalAccessAuth, ...given } = data;
	envelope.title = given.title ?? envelope.title;
	envelope.visibility = given.visibility ?? envelope.visibility;
	envelope.templateType = given.templateType ?? envelope.templateType;
	envelope.publicTitle = given.publicTitle ?? envelope.publicTitle;
	envelope.publicDescription = given.publicDescription ?? envelope.publicDescription;
	envelope.useLegacyFieldInsertion =
		given.useLegacyFieldInsertion ?? envelope.useLegacyFieldInsertion;
	// Null is a value here: no external ID, or the root folder. An empty folder ID is ignored.
	if (given.externalId !== undefined) envelope.externalId = given.externalId;
	if (given.folderId !== undefined && given.folderId !== '') envelope.folderId = given.folderId;
	if (globalAccessAuth) envelope.authOptions = { ...envelope.authOptions, globalAccessAuth };
}
