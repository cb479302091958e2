import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What the inbox's page shows for a message. */
function shown(text: string): string {
	const module = pathToFileURL(join(__dirname, '..', '..', 'demo', 'inbox.mjs')).href;
	const source = `import { startInbox } from '${module}';
		const inbox = await startInbox({ port: 0 });
		const body = ${JSON.stringify(JSON.stringify({ text }))};
		await fetch(inbox.webhookUrl, { method: 'POST', body });
		console.log(await (await fetch(inbox.url)).text());
		inbox.stop();`;
	const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
		encoding: 'utf8',
	});
	return /<article>.*<p>(.*)<\/p><\/article>/.exec(stdout)?.[1] ?? '';
}

test.each([
	['*Novak &amp; Sons* &lt;!channel&gt;', '<b>Novak &amp; Sons</b> &lt;!channel&gt;'],
	['&amp;lt;b&amp;gt;', '&amp;lt;b&amp;gt;'],
	['<img src=x> & &quot; &#60;', '&#60;img src=x&#62; &#38; &#38;quot; &#38;#60;'],
])('the inbox unescapes a message as Slack does, once, and shows no HTML: %s', (text, html) => {
	expect(shown(text)).toBe(html);
});
