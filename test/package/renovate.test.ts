import host from '../../n8n-host/n8n/package.json';
import manifest from '../../package.json';
import renovate from '../../renovate.json';

const IMAGE = 'docker.n8n.io/n8nio/n8n';

test('the rules for updates are about packages that are there, and allow the versions that are there', () => {
	const installed: Record<string, string> = { ...manifest.devDependencies, ...host.dependencies };
	const rules: Array<{ matchPackageNames?: string[]; allowedVersions?: string }> =
		renovate.packageRules;
	for (const { matchPackageNames = [], allowedVersions } of rules) {
		for (const name of matchPackageNames.filter((one) => one !== IMAGE)) {
			expect(Object.keys(installed)).toContain(name);
			const major = Number(installed[name]?.split('.')[0]);
			const limit = Number(allowedVersions?.replace('<', '') ?? Infinity);
			expect(major).toBeLessThan(limit);
		}
	}
});
