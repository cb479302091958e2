/** All that n8n inherits, so that a developer's own N8N_… or DB_… settings do not affect the demo. */
const inherited = ['HOME', 'LANG', 'LC_ALL', 'PATH', 'TMPDIR', 'TZ', 'USER'];

export function n8nEnvironment({ userFolder, port, brokerPort, encryptionKey, fileFolders }) {
	return {
		...Object.fromEntries(
			inherited.filter((name) => process.env[name]).map((name) => [name, process.env[name]]),
		),
		NODE_ENV: 'production',
		N8N_USER_FOLDER: userFolder,
		N8N_ENCRYPTION_KEY: encryptionKey,
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_PORT: String(port),
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		N8N_EDITOR_BASE_URL: `http://127.0.0.1:${port}/`,
		N8N_WEBHOOK_URL: `http://127.0.0.1:${port}/`,
		N8N_SECURE_COOKIE: 'false',
		N8N_RESTRICT_FILE_ACCESS_TO: fileFolders.join(';'),
		N8N_LOG_LEVEL: 'info',
		// Otherwise n8n shows the times of New York.
		GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,
		// n8n treats an unpacked package as unverified.
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		// n8n installs no other package, which would run as the developer. It still loads ours, which is unpacked.
		// N8N_COMMUNITY_PACKAGES_ENABLED=false would only hide that page of the editor.
		N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV: 'true',

		// Everything that would connect to other computers.
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_DISABLED_MODULES: 'mcp-registry',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	};
}
