// Runs apart from the local Documenso: pdfjs is an ES module, which jest's CommonJS cannot import, and
// reading a long document would keep the server from answering.
import { parentPort } from 'node:worker_threads';
import { getDocument, OPS, Util, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';

parentPort.on('message', async ({ id, bytes, pattern }) => {
	try {
		parentPort.postMessage({ id, found: await search(bytes, pattern) });
	} catch (error) {
		parentPort.postMessage({ id, error: String(error) });
	}
});

async function search(data, pattern) {
	const options = { disableFontFace: true, isEvalSupported: false, useSystemFonts: false };
	const task = getDocument({ data, ...options, verbosity: VerbosityLevel.ERRORS });
	const pdf = await task.promise;
	const found = [];
	for (let number = 1; number <= pdf.numPages; number += 1) {
		const page = await pdf.getPage(number);
		const glyphs = readGlyphs(await page.getOperatorList());
		const lines = toLines(glyphs).flatMap((line) => matchLine(line, pattern));
		found.push(...lines.map((match) => ({ page: number, ...match })));
	}
	await task.destroy();
	return found;
}

/** Characters that follow one another on one baseline, whatever operators drew them. */
function toLines(glyphs) {
	const lines = [];
	let last;
	for (const glyph of glyphs) {
		const gap = last && glyph.x - last.right;
		const continues =
			last && Math.abs(glyph.y - last.y) < 1 && gap > -glyph.size && gap < 2 * glyph.size;
		if (!continues) lines.push([]);
		lines.at(-1).push(glyph);
		last = glyph;
	}
	return lines;
}

function matchLine(line, pattern) {
	// A ligature is one glyph with several letters, so positions in the text are looked up.
	const owners = line.flatMap((glyph) => [...glyph.text].map(() => glyph));
	const text = line.map((glyph) => glyph.text).join('');
	return [...text.matchAll(pattern)].map((match) => {
		const first = owners[match.index];
		const last = owners[match.index + match[0].length - 1];
		return {
			text: match[0],
			left: first.x,
			right: last.right,
			baseline: first.y,
			size: first.size,
		};
	});
}

/** Follows the drawing operators and notes where each character lands, in points. */
function readGlyphs({ fnArray, argsArray }) {
	const glyphs = [];
	const saved = [];
	let matrix = [1, 0, 0, 1, 0, 0];
	let line = matrix;
	let text = matrix;
	let state = { size: 0, charSpace: 0, wordSpace: 0, scale: 1, leading: 0, rise: 0 };
	const restore = () => ([matrix, state] = saved.pop() ?? [matrix, state]);
	const moveLine = (x, y) => (line = text = Util.transform(line, [1, 0, 0, 1, x, y]));
	const advance = (distance) => (text = Util.transform(text, [1, 0, 0, 1, distance, 0]));
	const show = (items) => {
		for (const item of items) {
			// Numbers between the glyphs are kerning, in thousandths of the font size.
			if (typeof item === 'number') {
				advance((-item / 1000) * state.size * state.scale);
				continue;
			}
			const [a, , c, d, x, y] = Util.transform(matrix, text);
			const width = (item.width / 1000) * state.size * state.scale;
			const size = state.size * Math.hypot(c, d);
			glyphs.push({ text: item.unicode, x, y: y + state.rise * d, right: x + a * width, size });
			const spacing = state.charSpace + (item.isSpace ? state.wordSpace : 0);
			advance(width + spacing * state.scale);
		}
	};
	const operators = {
		[OPS.save]: () => saved.push([matrix, state]),
		[OPS.restore]: restore,
		[OPS.transform]: (...next) => (matrix = Util.transform(matrix, next)),
		[OPS.paintFormXObjectBegin]: (next) => {
			saved.push([matrix, state]);
			if (next) matrix = Util.transform(matrix, next);
		},
		[OPS.paintFormXObjectEnd]: restore,
		[OPS.beginText]: () => (line = text = [1, 0, 0, 1, 0, 0]),
		[OPS.setFont]: (_font, size) => (state = { ...state, size }),
		[OPS.setCharSpacing]: (charSpace) => (state = { ...state, charSpace }),
		[OPS.setWordSpacing]: (wordSpace) => (state = { ...state, wordSpace }),
		[OPS.setHScale]: (percent) => (state = { ...state, scale: percent / 100 }),
		[OPS.setLeading]: (leading) => (state = { ...state, leading: -leading }),
		[OPS.setLeadingMoveText]: (x, y) => {
			state = { ...state, leading: y };
			moveLine(x, y);
		},
		[OPS.setTextRise]: (rise) => (state = { ...state, rise }),
		[OPS.setTextMatrix]: (next) => (line = text = [...next]),
		[OPS.moveText]: moveLine,
		[OPS.nextLine]: () => moveLine(0, state.leading),
		[OPS.showText]: show,
	};
	for (const [index, operator] of fnArray.entries()) {
		operators[operator]?.(...(argsArray[index] ?? []));
	}
	return glyphs;
}
