import { z } from 'zod';

import {
	envelopeSchema,
	type EnvelopeField,
	type EnvelopeRecipient,
} from '../../shared/api/envelope';
import type { FieldValue } from '../../shared/envelope/filledValues';
import type { Prepared } from '../template/use';
import type { Asked, Pairing } from './pairing';

export const comparedSchema = envelopeSchema
	.pick({
		...{ id: true, status: true, title: true, externalId: true, team: true, recipients: true },
		...{ documentMeta: true, fields: true, envelopeItems: true, internalVersion: true },
	})
	.extend({
		templateId: z.number().nullish(),
		createdAt: z.string(),
	});

export type Compared = z.infer<typeof comparedSchema>;

/** Why a document says something else than its row. */
export type Cause = 'sent' | 'changedBySigner' | 'emptiedBySigner' | 'changedAfterSending';

export interface Difference {
	/** As a sheet names it. */
	name: string;
	row: FieldValue | number | null;
	document: FieldValue | number | null;
	cause: Cause;
	/** What the document's audit log calls it by. */
	about: { recipient?: number; field?: string; title?: boolean };
}

export interface Comparison {
	differences: Difference[];
	notCompared: Array<{ name: string; reason: string }>;
	/** Those who are in the document only, and whom somebody has added unless Documenso did it for the team. */
	others: Array<{ recipient: EnvelopeRecipient; mayBeDefault: boolean }>;
}

export function nothingCompared(): Comparison {
	return { differences: [], notCompared: [], others: [] };
}

/** The parts of what a row asks for that a document is compared with. */
export type Wanted = Omit<Prepared, 'replaced'>;

/** What is compared, and what has come out so far. */
export interface Task extends Omit<Wanted, 'document'> {
	asked: Asked[];
	document: Compared;
	pairing: Pairing;
	/** The fields that the document has had from its start. */
	copied: ReadonlySet<EnvelopeField>;
	comparison: Comparison;
}

/** Why something is not compared that the template alone says. */
export const EDITED =
	'The template and the document differ, and the row says nothing about it. The template may have been edited since.';
