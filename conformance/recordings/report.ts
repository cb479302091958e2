import type { Differences, Result } from './replay';

/** The reason for each known difference, by the name of the recording. */
type KnownDifferences = Readonly<Record<string, string>>;

export interface Verdict {
	/** Differences without a reason. */
	unexpected: string[];
	/** Reasons without a difference. */
	vanished: string[];
}

/** Compares the differences found with the known ones. */
export function compareWithKnown(differences: Differences, listed: KnownDifferences): Verdict {
	return {
		unexpected: [...differences.keys()].filter((name) => !(name in listed)),
		vanished: Object.keys(listed).filter((name) => !differences.has(name)),
	};
}

/** The report: each difference in one line, then the unexpected ones, then the totals. */
export function describeResult(
	result: Result,
	deliveryNames: readonly string[],
	listed: KnownDifferences,
): string {
	const { captures, deliveries, differences } = result;
	const { unexpected, vanished } = compareWithKnown(differences, listed);
	const differing = deliveryNames.filter((name) => differences.has(name)).length;
	const lines = [...differences].flatMap(([name, found]) => [
		...found.map((line) => `${name}  ${line}`),
		...(listed[name] ? [`${name}  (listed: ${listed[name]})`] : []),
	]);
	return [
		...lines,
		...unexpected.map((name) => `${name}  is not listed in differences.json`),
		...vanished.map((name) => `${name}  is listed in differences.json and no longer differs`),
		`captures: ${captures - (differences.size - differing)}/${captures} matched`,
		`webhooks: ${deliveries - differing}/${deliveries} matched`,
	].join('\n');
}
