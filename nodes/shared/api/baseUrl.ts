import { ApiFailure } from './failure';

/** The old version is used only for what the current one lacks. */
export type ApiVersion = 'v1' | 'v2';

export function apiRoot(site: string, version: ApiVersion = 'v2'): string {
	return `${site}/api/${version}`;
}

/**
 * The address that people see: the base URL without the API's path. It may be entered with or without a sub-path,
 * `/api/v2` (or `/api/v2-beta`) and slashes at the end.
 */
export function siteRoot(baseUrl: string): string {
	return withoutLastSlashes(withoutLastSlashes(baseUrl.trim()).replace(/\/api\/v2(-beta)?$/, ''));
}

/** With the look back, each run of slashes is read once. */
function withoutLastSlashes(text: string): string {
	return text.replace(/(?<!\/)\/+$/, '');
}

/** The page of a document or template in Documenso; its address names the team. */
export function pageOf(
	kind: 'document' | 'template',
	{ site, teamUrl, id }: { site: string; teamUrl: string; id: string },
): string {
	return `${site}/t/${teamUrl}/${kind}s/${id}`;
}

/** Whether a user or password stands before the host. Browsers read a URL in this way: however many slashes there are. */
export function hasUser(baseUrl: string): boolean {
	return /^https?:[/\\]*[^/\\?#]*@/i.test(baseUrl.trim());
}

/** Where Documenso is, for people and as a URL. Throws an ApiFailure if the base URL cannot be used. */
export function siteOf(baseUrl: string): { site: string; url: URL } {
	const site = siteRoot(baseUrl);
	const url = urlOf(site);
	if (!url) throw baseUrlFailure(baseUrl);
	return { site, url };
}

/** Whether Documenso is on a private network, where mail also goes to domains without a dot. */
export function isOnOwnNetwork(site: string): boolean {
	const host = new URL(site).hostname.toLowerCase();
	return !host.includes('.') || OWN_DOMAIN.test(host) || OWN_IPV4.test(host);
}

const OWN_DOMAIN = /\.(local|internal|lan)$/;
/** Private, link-local and loopback addresses. One of version 6 has no dot. */
const OWN_IPV4 = /^(10|127|169\.254|172\.(1[6-9]|2\d|3[01])|192\.168)\.[\d.]+$/;

/** No path can be put behind an address with a query or fragment, and a user or password would get into every link. */
function urlOf(text: string): URL | undefined {
	if (hasUser(text) || !/^https?:\/\/[^\s?#"<>]+$/i.test(text)) return undefined;
	try {
		return new URL(text);
	} catch {
		return undefined;
	}
}

function baseUrlFailure(baseUrl: string): ApiFailure {
	const fault =
		baseUrl.trim() === ''
			? 'is empty'
			: hasUser(baseUrl)
				? 'has a user or password in it'
				: /^https?:\/\//i.test(baseUrl.trim())
					? 'is not a URL'
					: 'does not begin with https:// or http://';
	return new ApiFailure({
		// It is not shown: it may contain a password, or be the token.
		message: `The base URL in the credential ${fault}`,
		outcome: 'unsent',
		advice:
			'Enter the address at which you open Documenso, without a user, a password or the path of a page: for example https://app.documenso.com.',
	});
}
