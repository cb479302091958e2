import type { EmulatorOptions } from '../../emulator';
import type { Capture } from './recordings';

type ApiToken = NonNullable<EmulatorOptions['tokens']>[number];

/** Used where the recordings do not show the owner, for whom most calls were made. */
const DEFAULT_ACCOUNT = {
	user: { id: 1, name: 'Owner', email: 'owner@example.com' },
	team: { id: 1, url: 'team', name: 'Team' },
};

/** The API tokens of the recordings, with the users and teams that the responses show. */
export function accountsOf(captures: readonly Capture[]): ApiToken[] {
	const owner = findOwner(captures);
	const used = new Set(captures.flatMap((capture) => tokenOf(capture) ?? []));
	const accounts: ApiToken[] = [];
	for (const token of used) {
		const answers = captures.filter((capture) => tokenOf(capture) === token);
		const expired = answers.some(({ response: { body } }) =>
			JSON.stringify(body).includes('"EXPIRED_CODE"'),
		);
		const isKnown = expired || answers.some(({ response }) => response.status === 200);
		if (!isKnown) continue;
		const isOwners = accounts.length === 0 || expired;
		accounts.push({ token, expired, ...(isOwners ? owner : otherAccount(accounts.length)) });
	}
	return accounts;
}

function tokenOf({ request }: Capture): string | undefined {
	return request.headers.authorization?.replace(/^Bearer /, '');
}

function otherAccount(number: number): typeof DEFAULT_ACCOUNT {
	const id = 1000 + number;
	const name = `Other user ${number}`;
	return {
		user: { id, name, email: `other.user.${number}@example.com` },
		team: { id, url: `other-team-${number}`, name: `Other team ${number}` },
	};
}

function findOwner(captures: readonly Capture[]): typeof DEFAULT_ACCOUNT {
	const bodies = captures.map(({ response }) => response.body);
	return {
		user: { ...DEFAULT_ACCOUNT.user, ...findObject(bodies, 'user', ['id', 'name', 'email']) },
		// Few responses contain the team's name.
		team: {
			...DEFAULT_ACCOUNT.team,
			...findObject(bodies, 'team', ['id', 'url']),
			...findObject(bodies, 'team', ['id', 'url', 'name']),
		},
	};
}

/** The first object under `key` that has all keys of `parts`. */
function findObject(
	value: unknown,
	key: string,
	parts: readonly string[],
): Record<string, unknown> | undefined {
	if (typeof value !== 'object' || value === null) return undefined;
	for (const [name, entry] of Object.entries(value)) {
		const found = entry as Record<string, unknown> | null;
		const isWanted = name === key && typeof found === 'object' && found !== null;
		if (isWanted && parts.every((part) => part in found)) return found;
		const inner = findObject(entry, key, parts);
		if (inner) return inner;
	}
	return undefined;
}
