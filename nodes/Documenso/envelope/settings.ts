import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { nodesOwn, SIGNATURE_TYPES, type GivenSettings } from '../inputs/settings';

/** Settings that the service keeps on the document or template itself. */
const OWN: string[] = [
	'title',
	'externalId',
	'visibility',
	'templateType',
	'folderId',
	'globalAccessAuth',
	'globalActionAuth',
] satisfies Array<keyof GivenSettings>;

/** What the service accepts only when something is created. */
const CONTENT: string[] = ['delegatedDocumentOwner', 'formValues', 'attachments'] satisfies Array<
	keyof GivenSettings
>;

export type Settings = ReturnType<typeof sortSettings>;

/** Settings by where the service takes them (documenso-api.md: Creating an envelope; Settings). */
export function sortSettings(given: GivenSettings) {
	const { emailsOff = [], emailsOn = [], signatureTypes, ...others } = given;
	const entries = Object.entries<IDataObject[string]>(others).filter(
		([name, value]) => value !== undefined && !Object.hasOwn(nodesOwn, name),
	);
	const those = (isWanted: (name: string) => boolean): IDataObject =>
		Object.fromEntries(entries.filter(([name]) => isWanted(name)));
	const signature =
		signatureTypes &&
		Object.fromEntries(SIGNATURE_TYPES.map(({ value }) => [value, signatureTypes.includes(value)]));
	const meta: IDataObject = {
		...those((name) => !OWN.includes(name) && !CONTENT.includes(name)),
		...signature,
	};
	return {
		data: those((name) => OWN.includes(name)),
		content: those((name) => CONTENT.includes(name)),
		/** What the service keeps in the document's settings. */
		meta,
		/** The emails to turn on or off; the others stay as they are. */
		emails: { ...switched(emailsOff, false), ...switched(emailsOn, true) },
	};
}

function switched(names: string[], isOn: boolean): Record<string, boolean> {
	return Object.fromEntries(names.map((name) => [name, isOn]));
}

const storedSchema = z.object({
	documentMeta: z.object({ emailSettings: z.record(z.boolean()).nullish() }).nullish(),
});

/**
 * The settings as the service takes them. It switches on every email that is not named
 * (documenso-api.md: Email settings), so the ones that `stored` has are sent along.
 */
export function metaOf({ meta, emails }: Settings, stored: object = {}): IDataObject {
	if (Object.keys(emails).length === 0) return meta;
	const { documentMeta } = storedSchema.parse(stored);
	return { ...meta, emailSettings: { ...documentMeta?.emailSettings, ...emails } };
}
