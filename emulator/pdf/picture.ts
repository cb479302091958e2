import type { PDFPage } from '@cantoo/pdf-lib';

interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** Draws a PNG from a data URL, as large as its box allows. */
export async function drawPicture(page: PDFPage, picture: string, box: Box): Promise<void> {
	const image = await page.doc.embedPng(picture);
	const { width, height } = image.scaleToFit(box.width, box.height);
	page.drawImage(image, { x: box.x, y: box.y, width, height });
}
