import type { Differences, Result } from './replay';

/** Why the emulator differs in a recording, by the recording's name. */
export type KnownDifferences = Readonly<Record<string, string>>;

export interface Verdict {
	/** Differences without a reason. */
	unexpected: string[];
	/** Reasons without a difference. */
	vanished: string[];
}

/** Holds the differences found against those that are known and explained. */
export function compareWithKnown(differences: Differences, listed: KnownDifferences): Verdict {
	return {
		unexpected: [...differences.keys()].filter((name) => !(name in listed)),
		vanished: Object.keys(listed).filter((name) => !differences.has(name)),
	};
}

/** The whole report: each difference in one line, then what was not expected, then the ratios. */
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
