import type { Listed } from '../api/envelope';

/** Drafts count less than what was sent, and what ended without signatures counts least. */
const WEIGHT: Readonly<Partial<Record<string, number>>> = { DRAFT: 1, REJECTED: 2, CANCELLED: 2 };

/**
 * Which of several documents with one external ID counts comes first: pending and completed ones, then drafts, then
 * rejected and cancelled ones; the oldest first within each. All processes choose the same.
 */
export function inOrderOfWeight(found: Listed[]): Listed[] {
	const weight = ({ status }: Listed) => WEIGHT[status] ?? 0;
	return [...found].sort(
		(a, b) =>
			weight(a) - weight(b) ||
			Date.parse(a.createdAt) - Date.parse(b.createdAt) ||
			(a.id < b.id ? -1 : 1),
	);
}
