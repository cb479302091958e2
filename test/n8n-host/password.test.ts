import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const host = pathToFileURL(join(__dirname, '..', '..', 'n8n-host', 'host.mjs')).href;

let stateDir: string;
const file = (name: string) => join(stateDir, 'n8n', name);
beforeEach(() => {
	stateDir = mkdtempSync(join(tmpdir(), 'demo-'));
});
afterEach(() => {
	rmSync(stateDir, { recursive: true });
});

/** Without a package, the start fails as soon as it has made the secrets. Returns why. */
function start(): string {
	const options = JSON.stringify({ stateDir, packageTarball: join(stateDir, 'none.tgz') });
	const source = `import { startN8n } from '${host}';
		await startN8n(${options}).catch(({ message }) => console.log(message));`;
	const args = ['--input-type=module', '-e', source];
	return spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout;
}

test('each folder gets a password that n8n accepts, keeps it, and shows it to nobody else', () => {
	start();
	const password = readFileSync(file('owner-password'), 'utf8');
	expect(password).toMatch(/^(?=.*[A-Z])(?=.*\d)[\w-]{24,64}$/);
	expect(statSync(file('owner-password')).mode & 0o777).toBe(0o600);
	start();
	expect(readFileSync(file('owner-password'), 'utf8')).toBe(password);
	rmSync(join(stateDir, 'n8n'), { recursive: true });
	start();
	expect(readFileSync(file('owner-password'), 'utf8')).not.toBe(password);
});

test('a folder whose password everyone knows is not used', () => {
	mkdirSync(join(stateDir, 'n8n'));
	writeFileSync(file('encryption-key'), 'of an earlier version');
	expect(start()).toContain('with a password that everyone knows. Delete this folder');
});
