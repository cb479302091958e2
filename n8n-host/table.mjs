/** @param {Record<string, (row: object) => unknown>} columns */
export function table(columns, rows) {
	const lines = [Object.keys(columns)];
	for (const row of rows) lines.push(Object.values(columns).map((cell) => String(cell(row))));
	const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => width(line[column]))));
	const padded = lines.map((line) =>
		line.map((text, column) => text + ' '.repeat(widths[column] - width(text))),
	);
	const rule = widths.map((columnWidth) => '─'.repeat(columnWidth));
	padded.splice(1, 0, rule);
	return padded.map((line) => line.join('  ').trimEnd()).join('\n');
}

/** Terminals show these scripts two columns wide. */
const wide = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/gu;

function width(text) {
	return [...text].length + (text.match(wide)?.length ?? 0);
}
