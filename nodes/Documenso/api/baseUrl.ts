/** The old version is used only for what the current one lacks. */
export type ApiVersion = 'v1' | 'v2';

/**
 * The API's root for a base URL as a user may enter it: with or without a sub-path, `/api/v2` (or `/api/v2-beta`) and
 * slashes at the end. The credential's own test repeats this rule as an expression; a test compares the two.
 */
export function apiRoot(baseUrl: string, version: ApiVersion = 'v2'): string {
	return `${siteRoot(baseUrl)}/api/${version}`;
}

/** The address that people see: the base URL without the API's path. */
export function siteRoot(baseUrl: string): string {
	return baseUrl.trim().replace(/\/*(\/api\/v2(-beta)?)?\/*$/, '');
}

/** Whether a user or password stands before the host. Browsers read a URL in this way: however many slashes there are. */
export function hasUser(baseUrl: string): boolean {
	return /^https?:[/\\]*[^/\\?#]*@/i.test(baseUrl.trim());
}
