import type { Page } from '../../shared/pdf/pages';

/** Left, bottom, right and top, in points. */
type Box = [number, number, number, number];

/** Of a page that names no size. */
const US_LETTER: Box = [0, 0, 612, 792];
/** Points. */
const TOLERANCE = 1;

/**
 * Why Documenso misplaces fields on a page; undefined if it does not. Fields are where people see them on the page, but
 * Documenso draws them, and looks for text, on the page that it takes it to be (documenso-api.md: Pages).
 */
export function misplacement({ own, whole }: Page): string | undefined {
	if (rotationOf(own) !== rotationOf(whole)) return 'inherits its rotation';
	const assumed = assumedBox(own);
	const isThere = (edge: number, index: number) =>
		Math.abs(edge - (assumed[index] ?? 0)) <= TOLERANCE;
	if (seenBox(whole).every(isThere)) return undefined;
	if (!boxOf(own, '/MediaBox')) return 'inherits its size';
	return boxOf(whole, '/CropBox') ? 'is cropped' : 'does not begin at 0, 0';
}

/** What people see, which pdf.js shows them: what is in both boxes. */
function seenBox(page: Page['whole']): Box {
	const media = upright(boxOf(page, '/MediaBox')) ?? US_LETTER;
	const crop = upright(boxOf(page, '/CropBox')) ?? media;
	const [left, bottom] = [Math.max(media[0], crop[0]), Math.max(media[1], crop[1])];
	const [right, top] = [Math.min(media[2], crop[2]), Math.min(media[3], crop[3])];
	return left < right && bottom < top ? [left, bottom, right, top] : media;
}

/** It takes the last two numbers of a box for its size (@libpdf/core 0.4.1, pdf-page.ts). */
function assumedBox(page: Page['own']): Box {
	const [, , width, height] = boxOf(page, '/MediaBox') ?? US_LETTER;
	const crop = boxOf(page, '/CropBox');
	const isCropped = crop && (crop[2] < width || crop[3] < height);
	return isCropped
		? [0, 0, Math.abs(crop[2]), Math.abs(crop[3])]
		: [0, 0, Math.abs(width), Math.abs(height)];
}

function boxOf(page: Page['own'], name: string): Box | undefined {
	const box = page.get(name);
	const isBox =
		Array.isArray(box) && box.length >= 4 && box.every((one) => typeof one === 'number');
	return isBox ? (box as Box) : undefined;
}

/** Undefined if there is nothing in it. */
function upright(box?: Box): Box | undefined {
	if (!box || box[0] === box[2] || box[1] === box[3]) return undefined;
	const [one, bottom, other, top] = box;
	return [Math.min(one, other), Math.min(bottom, top), Math.max(one, other), Math.max(bottom, top)];
}

function rotationOf(page: Page['own']): number {
	const degrees = Number(page.get('/Rotate') ?? 0);
	return degrees % 90 === 0 ? ((degrees % 360) + 360) % 360 : 0;
}
