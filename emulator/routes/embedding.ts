import { createPresignToken, isValidPresignToken } from '../envelopes/presignToken';
import { AppError } from '../errors';
import { publicProcedure } from '../http/route';
import * as schemas from '../schemas/embedding';

const SHORTEST_MINUTES = 5;
const DEFAULT_MINUTES = 60;

export const embeddingRoutes = [
	publicProcedure({
		method: 'POST',
		path: '/embedding/create-presign-token',
		operation: 'embeddingPresign.createEmbeddingPresignToken',
		input: schemas.createPresignToken,
		token: 'checkedLast',
		answer: (instance, caller, { expiresIn, scope }) => {
			// This operation reads the token itself, so it words a missing one in its own way.
			if (!caller) throw new AppError('UNAUTHORIZED', 'No API token provided');
			// Less than five minutes becomes an hour (documenso-api.md: Embed tokens).
			const minutes = expiresIn < SHORTEST_MINUTES ? DEFAULT_MINUTES : expiresIn;
			const seconds = Math.floor(minutes * 60);
			const grant = { teamId: caller.team.id, scope };
			const { token, expiresAt } = createPresignToken(grant, seconds, instance.now());
			return { token, expiresAt, expiresIn: seconds };
		},
	}),
	publicProcedure({
		method: 'POST',
		path: '/embedding/verify-presign-token',
		operation: 'embeddingPresign.verifyEmbeddingPresignToken',
		input: schemas.verifyPresignToken,
		token: 'ignored',
		answer: (instance, _caller, { token, scope }) => ({
			success: isValidPresignToken(token, scope, instance.now()),
		}),
	}),
];
