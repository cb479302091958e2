import type { Envelope, EnvelopeItem } from '../entities';

/** What people would call a PDF. The files of all documents from one template have the same title. */
export function fileName(
	{ title, items }: Envelope,
	item: EnvelopeItem,
	version: 'original' | 'signed' | 'pending',
): string {
	const name = items.length > 1 ? `${title}, ${item.title}` : title;
	return `${name.replace(/\.pdf$/i, '')}${version === 'original' ? '' : ` (${version})`}.pdf`;
}
