import { createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';

/** A secret of this process, because only the local Documenso verifies its tokens. */
const SECRET = randomBytes(32);

const HEADER = encode({ alg: 'HS256' });

const claimsSchema = z.object({
	/** The team. */
	aud: z.string(),
	/** The API token's number; the local Documenso does not number its tokens. */
	sub: z.string(),
	/** In seconds. */
	iat: z.number(),
	exp: z.number(),
	scope: z.string().optional(),
});

type Claims = z.output<typeof claimsSchema>;

/** A JSON Web Token that lets a page edit a team's envelopes. */
export function createPresignToken(
	{ teamId, scope }: { teamId: number; scope: string | undefined },
	lifetimeSeconds: number,
	now: Date,
): { token: string; expiresAt: Date } {
	const iat = Math.floor(now.getTime() / 1000);
	const exp = iat + lifetimeSeconds;
	const claims: Claims = { aud: String(teamId), sub: '1', iat, exp, scope };
	const signed = `${HEADER}.${encode(claims)}`;
	const expiresAt = new Date(now.getTime() + lifetimeSeconds * 1000);
	return { token: `${signed}.${signatureOf(signed)}`, expiresAt };
}

export function isValidPresignToken(token: string, scope: string | undefined, now: Date): boolean {
	const [header, claims = '', signature = '', ...rest] = token.split('.');
	// Blanks and padding behind the signature are not part of it.
	const signed = signature.replace(/[\s=]+$/, '');
	if (rest.length > 0 || signed !== signatureOf(`${header}.${claims}`)) return false;
	const { exp, scope: granted } = claimsSchema.parse(
		JSON.parse(Buffer.from(claims, 'base64url').toString()),
	);
	// Compared only if both name a scope.
	return exp * 1000 > now.getTime() && (!granted || !scope || granted === scope);
}

function signatureOf(signed: string): string {
	return createHmac('sha256', SECRET).update(signed).digest('base64url');
}

function encode(value: object): string {
	return Buffer.from(JSON.stringify(value)).toString('base64url');
}
