import {
	concatTransformationMatrix,
	PDFArray,
	PDFName,
	PDFNumber,
	popGraphicsState,
	pushGraphicsState,
	type PDFPage,
} from '@cantoo/pdf-lib';

/** Where percentages of a page are measured, in points; `x` and `y` are its lower left corner. */
export interface Frame {
	x: number;
	y: number;
	/** As seen, so with the sides exchanged if the page is turned. */
	width: number;
	height: number;
	turned: 0 | 90 | 180 | 270;
}

const LETTER = { x: 0, y: 0, width: 612, height: 792 };

/**
 * As the sealing job and the search for placeholders measure a page: from the origin to the box's second
 * corner, and without what the page inherits. So a page with a cropped, offset or inherited box gets its
 * values elsewhere than on the screen.
 */
export function sealedFrame(page: PDFPage): Frame {
	const media = ownBox(page, 'MediaBox') ?? LETTER;
	const crop = ownBox(page, 'CropBox') ?? media;
	const isCropped = crop.width < media.width || crop.height < media.height;
	const rotate = page.node.lookupMaybe(PDFName.of('Rotate'), PDFNumber)?.asNumber() ?? 0;
	return seen(isCropped ? crop : media, rotate);
}

/** As the signing page shows it. */
export function shownFrame(page: PDFPage): Frame {
	return seen(page.getCropBox(), page.getRotation().angle);
}

/** Draws upright on a turned page; what is drawn counts from the corner that is seen below on the left. */
export async function drawIn(
	page: PDFPage,
	{ x, y, width, height, turned }: Frame,
	draw: () => Promise<void>,
): Promise<void> {
	const matrices: Record<Frame['turned'], [number, number, number, number, number, number]> = {
		0: [1, 0, 0, 1, x, y],
		90: [0, 1, -1, 0, x + height, y],
		180: [-1, 0, 0, -1, x + width, y + height],
		270: [0, -1, 1, 0, x, y + width],
	};
	page.pushOperators(pushGraphicsState(), concatTransformationMatrix(...matrices[turned]));
	await draw();
	page.pushOperators(popGraphicsState());
}

/** A page without a size anywhere is US Letter. */
export function addMissingSize(page: PDFPage): void {
	if (page.node.getInheritableAttribute(PDFName.of('MediaBox'))) return;
	page.setMediaBox(LETTER.x, LETTER.y, LETTER.width, LETTER.height);
}

function seen(box: Omit<Frame, 'turned'>, rotate: number): Frame {
	const turned = ((((Math.round(rotate / 90) % 4) + 4) % 4) * 90) as Frame['turned'];
	if (turned === 0 || turned === 180) return { ...box, turned };
	return { ...box, width: box.height, height: box.width, turned };
}

function ownBox(page: PDFPage, name: string): Omit<Frame, 'turned'> | undefined {
	const box = page.node.lookupMaybe(PDFName.of(name), PDFArray);
	if (box?.size() !== 4) return undefined;
	const [width, height] = [box.lookup(2, PDFNumber), box.lookup(3, PDFNumber)];
	return { x: 0, y: 0, width: Math.abs(width.asNumber()), height: Math.abs(height.asNumber()) };
}
