import { searchOf } from './search';

/** Templates by their numbers, by which events name them. */
export const searchTemplateNumbers = searchOf(['TEMPLATE'], ({ secondaryId }) =>
	Number(secondaryId.replace('template_', '')),
);
