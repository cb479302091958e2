import { pairElements, type ElementPair } from './pairs';

type NumberKind = 'recipient' | 'field' | 'document' | 'template';

/** Keys whose value is always a number of one kind. */
const KIND_BY_KEY: Record<string, NumberKind> = {
	recipientId: 'recipient',
	fieldRecipientId: 'recipient',
	directRecipientId: 'recipient',
	directTemplateRecipientId: 'recipient',
	fieldId: 'field',
	documentId: 'document',
	documentIds: 'document',
	templateId: 'template',
};

/** Lists whose elements, or their `id`, are numbers of one kind. */
const KIND_BY_LIST: Record<string, NumberKind> = {
	recipients: 'recipient',
	Recipient: 'recipient',
	fields: 'field',
	prefillFields: 'field',
};

const ID = /^(envelope_(item_)?[a-z]{16}|c[a-z0-9]{24})$/;
const SECRET_KEYS = ['token', 'transactionId'];
const NUMBERED_PATH = /\/(recipient|field|document|template)\/(\d+)/g;

/** Maps recorded IDs to emulated ones. Each kind of number is mapped separately. */
export class IdMap {
	private readonly known = new Map<string, string | number>();

	/** Learns the IDs that two responses to the same request have in the same places. */
	learn(recorded: unknown, emulated: unknown, context: string, path: readonly string[] = []): void {
		if (Array.isArray(recorded) && Array.isArray(emulated)) {
			for (const pair of this.pair(recorded, emulated)) {
				this.learn(pair.recorded, pair.emulated, context, path);
			}
		} else if (isRecord(recorded) && isRecord(emulated)) {
			for (const [key, value] of Object.entries(recorded)) {
				this.learn(value, emulated[key], context, [...path, key]);
			}
		} else if (typeof recorded === 'number' && typeof emulated === 'number') {
			const kind = kindOf(path, context);
			if (kind) this.add(`${kind} ${recorded}`, emulated);
		} else if (typeof recorded === 'string' && typeof emulated === 'string') {
			if (isId(recorded, path)) this.add(recorded, emulated);
		}
	}

	/** The same value with every known ID replaced; unknown ones stay as they are. */
	translate(value: unknown, context: string, path: readonly string[] = []): unknown {
		if (typeof value === 'string') return this.translateText(value);
		if (typeof value === 'number') {
			const kind = kindOf(path, context);
			return (kind && this.known.get(`${kind} ${value}`)) ?? value;
		}
		if (Array.isArray(value)) return value.map((entry) => this.translate(entry, context, path));
		if (!isRecord(value)) return value;
		const entries = Object.entries(value).map(([key, entry]) => {
			// get-many has the kind of its IDs in `type`.
			const name = key === 'ids' && typeof value.type === 'string' ? value.type : key;
			return [key, this.translate(entry, context, [...path, name])] as const;
		});
		return Object.fromEntries(entries);
	}

	/** Also replaces IDs within a text, such as a path or a message. */
	translateText(text: string): string {
		return text
			.replace(/[\w.-]+/g, (word) => String(this.known.get(word) ?? word))
			.replace(NUMBERED_PATH, (whole, kind: string, number: string) => {
				const emulated = this.known.get(`${kind} ${number}`);
				return emulated === undefined ? whole : `/${kind}/${emulated}`;
			});
	}

	/** Pairs corresponding elements, by the recipients that are known. */
	pair(recorded: readonly unknown[], emulated: readonly unknown[]): ElementPair[] {
		return pairElements(recorded, emulated, (recipientId) =>
			this.known.get(`recipient ${String(recipientId)}`),
		);
	}

	get(recordedId: string): string | undefined {
		const emulated = this.known.get(recordedId);
		return typeof emulated === 'string' ? emulated : undefined;
	}

	add(recorded: string, emulated: string | number): void {
		if (!this.known.has(recorded)) this.known.set(recorded, emulated);
	}
}

/** Whether a value is an ID; the local Documenso's differs from the recorded one. */
export function isId(value: unknown, path: readonly string[], context = ''): boolean {
	if (typeof value === 'number') return kindOf(path, context) !== undefined;
	if (typeof value !== 'string') return false;
	return ID.test(value) || SECRET_KEYS.includes(path.at(-1) ?? '');
}

/** `context` is the request's path, or the event of a webhook. */
function kindOf(path: readonly string[], context: string): NumberKind | undefined {
	const key = path.at(-1) ?? '';
	const known = KIND_BY_KEY[key] ?? KIND_BY_LIST[key];
	if (known) return known;
	if (key !== 'id') return undefined;
	const container = path.at(-2) ?? '';
	if (KIND_BY_LIST[container]) return KIND_BY_LIST[container];
	if (!['', 'data', 'payload', 'documents'].includes(container)) return undefined;
	if (/^TEMPLATE_(?!USED)/.test(context)) return 'template';
	if (/^[A-Z]+_/.test(context)) return 'document';
	if (context.includes('/template/use')) return 'document';
	const [, named] = /\/(recipient|field|document|template)/.exec(context) ?? [];
	return named as NumberKind | undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
