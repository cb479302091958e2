import { choice } from '../engine/input';

/** Whether a list is entered row by row, or as JSON by those who generate it. */
export const inputMode = (displayName: string) =>
	choice(
		displayName,
		[
			{ name: 'Using Fields Below', value: 'fields' },
			{ name: 'Using JSON', value: 'json' },
		],
		{ default: 'fields' },
	);
