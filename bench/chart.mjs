import { caseOf } from './cases/index.mjs';
import { describeRun } from './machine.mjs';
import { headlineOf } from './metrics.mjs';
import { thisNode } from './targets.mjs';

const width = 840;
const margin = 12;
const barsFrom = 280;
const longestBar = width - barsFrom - 150;
const barHeight = 14;
const lineHeight = 22;
const gap = 16;
/** Readable on white and on nearly black, as GitHub shows the same picture on both. */
const [own, other, ink] = ['#2f81f7', '#8b949e', '#768390'];
const bold = 'font-weight="600"';

/** Bars for the headline of each case; each case has its own scale. */
export function chart(result) {
	const parts = [];
	let y = 0;
	for (const { name, subjects } of result.cases) {
		const { headline } = caseOf(name);
		if (!headline) continue;
		y += lineHeight;
		parts.push(text(margin, y, headline.title, bold));
		const valueOf = ({ medians }) => medians[headline.metric];
		const longest = Math.max(...subjects.map((subject) => valueOf(subject) ?? 0));
		for (const subject of subjects) {
			y += lineHeight;
			const share = (valueOf(subject) ?? 0) / longest;
			parts.push(...line(subject.name, y, headlineOf(headline, subject), share));
		}
		y += gap;
	}
	y += lineHeight;
	parts.push(text(margin, y, describeRun(result)));
	return svg(y + margin, parts);
}

function line(name, y, label, share) {
	const isOwn = name === thisNode;
	const length = Math.max(1, Math.round(share * longestBar));
	const place = `x="${barsFrom}" y="${y - barHeight + 3}" width="${length}" height="${barHeight}"`;
	return [
		text(margin, y, name, isOwn ? bold : ''),
		`<rect ${place} rx="2" fill="${isOwn ? own : other}"/>`,
		text(barsFrom + length + 6, y, label, isOwn ? bold : ''),
	];
}

function text(x, y, content, attributes = '') {
	const escaped = content.replace(/&/g, '&amp;').replace(/</g, '&lt;');
	return `<text x="${x}" y="${y}" ${attributes}>${escaped}</text>`;
}

function svg(height, parts) {
	const font = 'font-family="system-ui, sans-serif" font-size="13"';
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ${font} fill="${ink}">
${parts.join('\n')}
</svg>
`;
}
