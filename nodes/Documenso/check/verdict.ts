import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod';

import type { Client } from '../../shared/api/client';
import { endedUnsigned, serviceTime } from '../../shared/api/lifecycle';
import { parse } from '../../shared/api/records';
import { nameOf } from '../../shared/envelope/labels';
import { seenId } from '../../shared/envelope/marker';
import { rejectionIn } from '../../shared/envelope/simplify';
import { stuckIn } from '../../shared/envelope/stuck';
import { picked } from '../../shared/n8n/values';
import { inOrderOfWeight } from '../creation/search';
import type { Planned } from '../engine/planned';
import { whoActed } from '../envelope/acted';
import { cancellationOf } from '../envelope/auditLog';
import type { Prepared } from '../template/use';
import { compare } from './compare';
import {
	comparedSchema,
	nothingCompared,
	type Compared,
	type Comparison,
	type Difference,
	type Wanted,
} from './comparison';
import { withLog, type Told } from './sinceWhen';

/** A row's document as it should be, and what is asked about it. */
export interface CheckPlan extends Prepared {
	options: { saySinceWhen?: boolean; alsoWithoutRow?: boolean };
}

/** What a row may turn out to be, and how the hint that counts the rows calls it. */
export const VERDICTS = {
	matches: 'matching',
	missing: 'without a document',
	draft: 'not sent',
	different: 'different',
	cannotCompare: 'not comparable in everything',
	duplicate: 'with several documents',
	stuck: 'stuck',
	ended: 'rejected or cancelled',
	refused: 'with a fault in the row',
	noRow: 'only in Documenso',
};

export type Verdict = keyof typeof VERDICTS;

export interface Checked {
	verdict: Verdict;
	/** Null if there is none. */
	document: IDataObject | null;
	/** The IDs of other documents with the row's External ID. */
	others: string[];
	differences: Told[];
	notCompared: Comparison['notCompared'];
	/** Why nothing goes on with it. */
	stuck?: IDataObject;
	/** Who has begun to sign a pending document. */
	acted?: string;
	/** Who rejected or cancelled it, when and why. */
	ended?: IDataObject;
	/** Behind the last row of a template: its documents whose External ID no row has. */
	withoutRow?: IDataObject[];
}

export type Row = Planned<CheckPlan>;

/** What is shown of every document. */
const readSchema = comparedSchema.pick({
	...{ id: true, status: true, createdAt: true, team: true, externalId: true },
});

/** What is known of one of a row's documents before those of the other rows are. */
export interface Outcome extends Pick<Checked, 'document' | 'stuck' | 'ended' | 'acted'> {
	status: string;
	id: string;
	createdAt: string;
	comparison: Comparison;
}

export function outcomeFor(row: Row, record: IDataObject): Outcome {
	const { client } = row.item;
	const { data: document, error } = comparedSchema.safeParse(record);
	const known = parse(readSchema, record);
	const { id, status, createdAt } = known;
	return {
		...{ id, status, createdAt, document: shown(client, record) },
		stuck: stuckIn(record, serviceTime(client)),
		acted: document && status === 'PENDING' ? whoActed(document) : undefined,
		ended: endedUnsigned(status) ? endIn(record) : undefined,
		comparison: document
			? comparisonWith(row, document)
			: { ...nothingCompared(), notCompared: [unreadable(error)] },
	};
}

function comparisonWith(wanted: Wanted, document: Compared): Comparison {
	if (document.templateId === wanted.document.templateId) return compare(wanted, document);
	const titles = { row: wanted.template.title, document: document.title };
	const other = { name: 'Template', ...titles, cause: 'sent' as const, about: {} };
	return { ...nothingCompared(), differences: [other] };
}

/** One odd document must not keep the others from being checked. */
function unreadable({ issues: [issue] }: z.ZodError) {
	const where = issue?.path.join('.') ?? '';
	return { name: where, reason: `Documenso's answer cannot be read here: ${issue?.message ?? ''}` };
}

export function shown(client: Client, record: IDataObject): IDataObject {
	const { id, team, externalId } = parse(readSchema, record);
	return {
		...picked(record, ['id', 'title', 'status', 'createdAt', 'updatedAt', 'completedAt']),
		...{ externalId: externalId ? seenId(externalId) : null },
		url: client.documentUrl({ id, team }),
	};
}

function endIn(record: IDataObject): IDataObject {
	const { recipients, status, completedAt = null } = record;
	const { rejection } = rejectionIn(Array.isArray(recipients) ? recipients : []);
	return rejection ? { rejection } : { status, endedAt: completedAt };
}

/** Whether somebody is a default recipient of the team: in one document at least, they were there from its start. */
export function defaultRecipientsAmong(outcomes: Outcome[]) {
	const keyOf = ({ recipient: { email, role } }: Comparison['others'][number]) =>
		`${role} ${email.toLowerCase()}`;
	const others = outcomes.flatMap(({ comparison }) => comparison.others);
	const known = new Set(others.filter((one) => one.mayBeDefault).map(keyOf));
	return (one: Comparison['others'][number]) => known.has(keyOf(one));
}

const NOTHING = { document: null, others: [], differences: [], notCompared: [] };

export async function concluded(
	{ item, document: wanted, options }: Row,
	outcomes: Outcome[],
	isOfTeam: (one: Comparison['others'][number]) => boolean,
): Promise<Checked> {
	const [outcome, ...less] = inOrderOfWeight(outcomes);
	// A list may show what is gone.
	if (!outcome) return { verdict: 'missing', ...NOTHING };
	const { id, status, document, stuck, acted, comparison } = outcome;
	const others = less.map((one) => one.id);
	const counting = outcomes.filter((one) => ['PENDING', 'COMPLETED'].includes(one.status));

	const added = comparison.others.filter((one) => !isOfTeam(one));
	const people = added.map(({ recipient }): Difference => ({
		...{ name: nameOf(recipient), row: null, document: recipient.email },
		...{ cause: 'changedAfterSending', about: { recipient: recipient.id } },
	}));
	const found = [...comparison.differences, ...people];
	const { saySinceWhen = false } = options;
	const { differences, unread } = await withLog(item.client, id, found, saySinceWhen);
	const isCancelled = status === 'CANCELLED' && saySinceWhen;
	const ended = isCancelled
		? { cancellation: await cancellationOf(item.client, id).catch(() => undefined) }
		: outcome.ended;
	const notCompared = [...comparison.notCompared, ...unread];
	const told = { document, others, differences, notCompared };
	const isDraftWanted = wanted.sending === 'no';
	if (counting.length > 1) return { verdict: 'duplicate', ...told };
	if (ended) return { verdict: 'ended', ...told, ended };
	if (status === 'DRAFT' && !isDraftWanted) return { verdict: 'draft', ...told };
	const more = { ...(acted ? { acted } : {}), ...(stuck ? { stuck } : {}) };
	if (differences.length > 0) return { verdict: 'different', ...told, ...more };
	if (stuck) return { verdict: 'stuck', ...told, ...more };
	return { verdict: notCompared.length > 0 ? 'cannotCompare' : 'matches', ...told };
}
