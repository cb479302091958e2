/** Markup whose interpolated values have been escaped. */
export class Html {
	constructor(readonly text: string) {}
}

type Value = Html | string | number | undefined | readonly Html[];

/** Builds markup and escapes all values that are not markup. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
	const parts = strings.map((string, index) => string + render(values[index]));
	return new Html(parts.join(''));
}

function render(value: Value): string {
	if (value === undefined) return '';
	if (value instanceof Html) return value.text;
	if (typeof value === 'object') return value.map(({ text }) => text).join('');
	return escape(String(value));
}

const ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

function escape(text: string): string {
	return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

export function page(title: string, body: Html, script = new Html('')): string {
	return html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<meta name="color-scheme" content="light dark" />
				<link rel="icon" href="data:," />
				<title>${title}</title>
				<style>
					${STYLE}
				</style>
			</head>
			<body>
				${body}${script}
			</body>
		</html>`.text;
}

const STYLE = new Html(`
:root {
	color-scheme: light dark;
	--ink: #14171f; --soft: #5b6372; --line: #e1e4ea; --sheet: #fff; --ground: #f5f6f8;
	--accent: #3f7d1f; --accent-ink: #fff; --bad: #b3261e;
}
@media (prefers-color-scheme: dark) {
	:root {
		--ink: #eceef2; --soft: #9aa3b2; --line: #2b303a; --sheet: #191c22; --ground: #101217;
		--accent: #a2e771; --accent-ink: #14210a; --bad: #ff8a80;
	}
}
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--ground); }
header, main { max-width: 1180px; margin: 0 auto; padding: 24px; }
header { padding-bottom: 0; }
h1 { font-size: 24px; margin: 0 0 4px; }
h2 { font-size: 13px; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); margin: 32px 0 10px; }
a { color: var(--accent); text-underline-offset: 3px; }
code { font: 13px ui-monospace, monospace; overflow-wrap: anywhere; }
.soft { color: var(--soft); }
.small { font-size: 13px; }
.sheet { background: var(--sheet); border: 1px solid var(--line); border-radius: 12px; padding: 18px; }
.stack { display: grid; gap: 12px; }
.row { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: baseline; }
.row > :first-child { font-weight: 600; overflow-wrap: anywhere; }
.people { list-style: none; margin: 10px 0 0; padding: 0; display: grid; gap: 6px; }
.badge { font-size: 12px; font-weight: 600; padding: 1px 9px; border-radius: 99px; background: #64748b26; color: var(--soft); }
.badge.COMPLETED, .badge.SIGNED, .badge.ok { background: #5a9e2e2e; color: var(--accent); }
.badge.PENDING { background: #d9960033; color: #a06a00; }
.badge.REJECTED, .badge.CANCELLED, .badge.bad { background: #d43c3c26; color: var(--bad); }
@media (prefers-color-scheme: dark) { .badge.PENDING { color: #ffc555; } }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; }
th, td { text-align: left; padding: 7px 14px 7px 0; border-bottom: 1px solid var(--line); font-size: 13px; white-space: nowrap; }
th { font-size: 12px; color: var(--soft); font-weight: 500; }
tr:last-child td { border-bottom: 0; }
.signing { display: grid; grid-template-columns: minmax(0, 1fr) 360px; gap: 24px; align-items: start; }
.paper { position: relative; height: min(78vh, 980px); overflow: hidden; border: 1px solid var(--line); border-radius: 12px; background: var(--sheet); }
/* Larger than its frame, because Chromium shows a black edge around the pages. */
.paper object { display: block; width: calc(100% + 12px); height: calc(100% + 8px); margin: -4px -6px; }
/* Covers that edge where it is not outside the frame: left of a scroll bar of 15 pixels. Elsewhere, it covers white paper. */
.paper::after { content: ''; position: absolute; inset: 0 9px 0 auto; width: 5px; background: #fff; pointer-events: none; }
@media (max-width: 860px) { .signing { grid-template-columns: minmax(0, 1fr); } .paper { height: 60vh; } }
form { display: grid; gap: 14px; }
form p { margin: 0; }
.caption { display: flex; justify-content: space-between; gap: 12px; align-items: baseline; font-weight: 600; }
.caption > span:first-child { display: block; }
.caption > span:first-child::first-letter { text-transform: uppercase; }
.caption > span:last-child { font-weight: 400; }
label, fieldset { display: grid; gap: 4px; border: 0; padding: 0; margin: 0; }
label.choice { display: flex; gap: 8px; align-items: center; }
legend { padding: 0; margin-bottom: 4px; width: 100%; }
input:not([type=checkbox], [type=radio]), select, textarea {
	font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line);
	border-radius: 8px; padding: 9px 11px; width: 100%;
}
input.signature { font: italic 700 22px/1.2 Georgia, 'Times New Roman', serif; padding: 12px; }
button {
	font: inherit; font-weight: 600; cursor: pointer; border: 1px solid transparent; border-radius: 8px;
	padding: 10px 16px; background: var(--accent); color: var(--accent-ink);
}
button.plain { background: none; border-color: var(--line); color: var(--bad); }
.problem { color: var(--bad); font-weight: 600; }
.events { grid-template-columns: repeat(auto-fill, minmax(230px, 1fr)); }
.events legend { grid-column: 1 / -1; }
details summary { cursor: pointer; color: var(--soft); }
details form { margin-top: 12px; }
.middle { max-width: 520px; margin: 12vh auto 0; padding: 0 24px; }
:focus-visible { outline: 3px solid #5a9e2e80; outline-offset: 1px; }
`);
