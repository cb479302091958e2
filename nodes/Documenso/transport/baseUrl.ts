/**
 * The API's root for what a user typed as base URL: an origin, with or without a sub-path,
 * `/api/v2` (or `/api/v2-beta`) and trailing slashes.
 * The credential's own test repeats this rule as an expression; a test compares the two.
 */
export function apiRoot(baseUrl: string): string {
	return `${siteRoot(baseUrl)}/api/v2`;
}

/** The address that people see: the base URL without the API's path. */
export function siteRoot(baseUrl: string): string {
	return baseUrl.trim().replace(/\/*(\/api\/v2(-beta)?)?\/*$/, '');
}
