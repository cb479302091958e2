import { choice } from '../engine/input';

/** Rows are for people; JSON is for workflows that generate it. */
export const inputMode = (displayName: string) =>
	choice(
		displayName,
		[
			{ name: 'Using Fields Below', value: 'fields' },
			{ name: 'Using JSON', value: 'json' },
		],
		{ default: 'fields' },
	);
