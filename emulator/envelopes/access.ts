import { brokenReference } from '../database';
import type { Envelope, EnvelopeType, Folder, Visibility } from '../entities';
import { AppError, notFound } from '../errors';
import type { Caller } from '../http/auth';
import type { Instance } from '../instance';

const VISIBLE_TO: Record<Caller['role'], readonly Visibility[]> = {
	MEMBER: ['EVERYONE'],
	MANAGER: ['EVERYONE', 'MANAGER_AND_ABOVE'],
	ADMIN: ['EVERYONE', 'MANAGER_AND_ABOVE', 'ADMIN'],
};

/** A token reaches its user's own documents in every team, and what was sent from its team's address. */
export function isVisible(envelope: Envelope, caller: Caller): boolean {
	const { user } = envelope;
	return (
		user.id === caller.user.id || user.email === caller.team.email || isOfTeam(envelope, caller)
	);
}

/** Lists have only what belongs to the token's team, and what its address has to do with: also what it can't reach. */
export function isListed(envelope: Envelope, caller: Caller): boolean {
	const { email } = caller.team;
	const { recipients, user } = envelope;
	const addresses = [user, ...recipients].map((one) => one.email);
	return (email !== undefined && addresses.includes(email)) || isOfTeam(envelope, caller);
}

function isOfTeam({ team, user, visibility }: Envelope, caller: Caller): boolean {
	if (team.id !== caller.team.id) return false;
	return user.id === caller.user.id || VISIBLE_TO[caller.role].includes(visibility);
}

/** Hidden folders are hidden from their owner, too. */
export function isFolderVisible(folder: Folder, caller: Caller): boolean {
	return folder.teamId === caller.team.id && VISIBLE_TO[caller.role].includes(folder.visibility);
}

/** The owner may choose any visibility, others only what they see themselves. */
export function assertMayShowTo(
	{ user }: Envelope,
	caller: Caller,
	visibility: Visibility | undefined,
): void {
	if (!visibility || user.id === caller.user.id) return;
	if (VISIBLE_TO[caller.role].includes(visibility)) return;
	const message = 'You do not have permission to update the envelope visibility';
	throw new AppError('UNAUTHORIZED', message);
}

export function findVisible(
	instance: Instance,
	caller: Caller,
	envelopeId: string,
	type?: EnvelopeType,
): Envelope | undefined {
	assertEnvelopeId(envelopeId);
	const envelope = instance.store.envelopes.get(envelopeId);
	if (!envelope || !isVisible(envelope, caller)) return undefined;
	return type === undefined || envelope.type === type ? envelope : undefined;
}

/** All operations check the format of an ID, except delete and the audit log's download. */
export function assertEnvelopeId(envelopeId: string): void {
	if (envelopeId === '') throw notFound('Envelope ID not found');
	if (!isEnvelopeId(envelopeId)) throw new AppError('INVALID_BODY', 'Invalid envelope ID');
}

export function isEnvelopeId(text: string): boolean {
	return /^envelope_.{2,}$/.test(text);
}

export function getVisible(
	instance: Instance,
	caller: Caller,
	envelopeId: string,
	missing: string,
	type?: EnvelopeType,
): Envelope {
	const envelope = findVisible(instance, caller, envelopeId, type);
	if (!envelope) throw notFound(missing);
	return envelope;
}

/** Returns what was found inside an envelope if the caller may see the envelope. */
export function assertVisible<Found extends { envelope: Envelope }>(
	found: Found | undefined,
	caller: Caller,
	missing: string,
): Found {
	if (!found || !isVisible(found.envelope, caller)) throw notFound(missing);
	return found;
}

/** Some operations refuse a token of another team, even for the caller's own documents. */
export function assertInTeam<Found extends { envelope: Envelope }>(
	found: Found | undefined,
	caller: Caller,
	missing: string,
): Found {
	const inTeam = found?.envelope.team.id === caller.team.id ? found : undefined;
	return assertVisible(inTeam, caller, missing);
}

export function assertFolder(
	instance: Instance,
	caller: Caller,
	folderId: string,
	type: EnvelopeType,
): void {
	const folder = instance.store.folders.get(folderId);
	if (!folder || !isFolderVisible(folder, caller) || folder.type !== type) {
		throw notFound('Folder not found');
	}
}

/** The folder of a new envelope, which may be hidden from its creator. */
export function assertNewFolder(
	{ store }: Instance,
	{ team }: Caller,
	folderId: string | undefined,
	type: EnvelopeType,
): void {
	if (!folderId) return;
	const folder = store.folders.get(folderId);
	if (folder?.teamId !== team.id || folder.type !== type) throw notFound('Folder not found');
}

/** An empty ID is looked up nowhere, and fails when it is stored. */
export function assertStoredFolder(folderId: string | undefined): void {
	if (folderId === '') throw brokenReference('envelope.create', 'Envelope_folderId_fkey');
}

/** No organisation in the local Documenso has email addresses to send from. */
export function assertNoSender(emailId: string | null | undefined): void {
	if (emailId) throw notFound('Email not found');
}

/** No organisation in the local Documenso has the plan that these settings need. */
export function assertNoActionAuth(actionAuth: readonly string[] | undefined): void {
	if (actionAuth && actionAuth.length > 0) {
		throw new AppError('UNAUTHORIZED', 'You do not have permission to set the action auth');
	}
}
