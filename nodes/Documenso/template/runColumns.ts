import { nextTurn, Turns } from '../../shared/api/turns';
import type { Item } from '../../shared/n8n/item';
import { comparable, nearTo } from '../../shared/n8n/nearNames';
import {
	documentColumns,
	type Column,
	type FieldColumn,
	type Place,
	type RecipientColumn,
	type Template,
} from './columns';

/** What the template has under a name: of each kind one, if the name is not ambiguous. */
export interface Found {
	/** The name in the form for comparisons. */
	key: string;
	fields: FieldColumn[];
	recipients: RecipientColumn[];
	/** Both of these. */
	places: Place[];
	document: Column[];
	/** Whether it has any of these. */
	isKnown: boolean;
	/** What it may be a misspelling of, if it is nothing else. */
	near: Column[];
}

/** No sheet has more: those of Google end at 18,278. A webhook takes far more, and to compare them takes long. */
export const MOST_COLUMNS = 20_000;
/** Far more columns than anyone misspells. */
const MOST_MISSPELT = 1000;
/** The names of a run are mostly those of its first item; what comes after so many is looked up again. */
const MOST_KNOWN = 100_000;

/** The columns of all items of a run. Names are compared with those of the template here, and nowhere else. */
export class RunColumns {
	/** A column for each place that any item has one for, and how many items have one: nodes may leave empty cells out. */
	readonly columns = new Map<Place, { name: string; items: number }>();
	/** How many columns an item has, if they are too many to be read: to list a million of them takes half a second. */
	readonly tooMany = new Map<object, number>();
	private readonly known = new Map<string, Found>();
	private readonly fieldsById: ReadonlyMap<string, FieldColumn>;

	constructor(readonly template: Template) {
		const { all } = template.fieldColumns;
		this.fieldsById = new Map(all.map((column) => [String(column.field.id), column]));
	}

	/** Reads the names bit by bit: a stranger may send any number, and n8n has to go on answering. */
	static async of(template: Template, item: Item): Promise<RunColumns> {
		return await item.client.once(`columns for ${template.id}`, async () => {
			const run = new RunColumns(template);
			const turns = new Turns();
			for (const { json } of item.context.getInputData()) {
				const names = Object.keys(json);
				if (names.length > MOST_COLUMNS) run.tooMany.set(json, names.length);
				else await run.read(names, turns);
				await turns.next();
			}
			// What follows goes over all columns, too.
			await nextTurn();
			return run;
		});
	}

	private async read(names: string[], turns: Turns) {
		const { fieldColumns, recipientColumns } = this.template;
		const all = [...fieldColumns.all, ...recipientColumns.all, ...documentColumns.all];
		const filled = new Map<Place, string>();
		let unknown = 0;
		for (const name of names) {
			const isNew = !this.known.has(name);
			const found = this.called(name);
			for (const place of found.places) filled.set(place, name);
			if (!isNew) continue;
			const isMisspelt = !found.isKnown && unknown++ < MOST_MISSPELT;
			if (isMisspelt) found.near = nearTo(name, all, (column) => column.name);
			await turns.next();
		}
		for (const [place, name] of filled) {
			const column = this.columns.get(place) ?? { name, items: 0 };
			column.items++;
			this.columns.set(place, column);
		}
	}

	/** A column of a spreadsheet is no ID. */
	called(name: string): Found {
		const known = this.known.get(name);
		if (known) return known;
		const { fieldColumns, recipientColumns } = this.template;
		const key = comparable(name);
		const fields = fieldColumns.called(name, key);
		const recipients = recipientColumns.called(name, key);
		const document = documentColumns.called(name, key);
		const places = [...fields, ...recipients];
		const isKnown = places.length > 0 || document.length > 0;
		const found = { key, fields, recipients, places, document, isKnown, near: [] };
		if (this.known.size < MOST_KNOWN) this.known.set(name, found);
		return found;
	}

	/** The same for a program, which may use the ID of a field as the name. */
	calledOrWithId(name: string): Found {
		const found = this.called(name);
		const field = this.fieldsById.get(name.trim());
		if (found.fields.length > 0 || !field) return found;
		return { ...found, fields: [field], places: [field, ...found.recipients], isKnown: true };
	}
}
