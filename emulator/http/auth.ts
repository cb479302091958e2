import type { Team, User } from '../entities';
import { AppError, RequestError } from '../errors';

/** An API token acts as one user in one team. */
export interface ApiToken {
	token: string;
	user: User;
	team: Team;
	role?: 'ADMIN' | 'MANAGER' | 'MEMBER';
	expired?: boolean;
}

export type Caller = Required<Pick<ApiToken, 'user' | 'team' | 'role'>>;

/** JSON routes and download routes have different messages for a missing token. */
export function missingToken(): RequestError {
	return new RequestError(401, 'UNAUTHORIZED', 'Invalid session or API token.');
}

export function missingDownloadToken(): AppError {
	return new AppError('UNAUTHORIZED', 'API token was not provided');
}

export function authenticate(
	header: string | undefined,
	tokens: readonly ApiToken[],
	missing: () => Error,
): Caller {
	if (!header) throw missing();
	// The prefix is optional and case-sensitive: `bearer x` counts as a token.
	const given = header.split('Bearer ').find((text) => text !== '');
	const known = tokens.find(({ token }) => token === given);
	if (!known) throw new AppError('UNAUTHORIZED', 'Invalid token', { statusCode: 401 });
	if (known.expired) throw new AppError('EXPIRED_CODE', 'Expired token', { statusCode: 401 });
	return { user: known.user, team: known.team, role: known.role ?? 'ADMIN' };
}
