import { z } from 'zod';
import { ignoreOverride, zodToJsonSchema, type Options } from 'zod-to-json-schema';

import { startEmulator } from '../../emulator';
import type { Procedure } from '../../emulator/http/route';
import { routes } from '../../emulator/routes';
import { envelopeSchema, pageSchema } from '../../nodes/shared/api/envelope';
import { linkSchema } from '../../nodes/Documenso/resources/directLink';
import { auditLogSchema, sentSchema } from '../../nodes/Documenso/envelope/distribute';
import { createdSchema } from '../../nodes/Documenso/envelope/draft';
import { fieldSchema } from '../../nodes/Documenso/envelope/field';
import { foldersSchema } from '../../nodes/shared/envelope/folders';
import { attachmentsSchema } from '../../nodes/Documenso/pickers/parts';
import { batchSchema, pageSchema as listedSchema } from '../../nodes/shared/polls/reading';
import { tryAll } from '../live/tryAll';
import { schemaOf } from '../../test/support/schema';
import { credentialFor } from '../../test/support/service';
import { placeOf } from './compare';
import { propertiesOf, type JsonSchema } from './properties';

/** What the nodes read of an answer. All else they hand on. */
const READ: Record<string, z.ZodTypeAny> = {
	'GET /envelope': pageSchema.and(listedSchema),
	'GET /envelope/{envelopeId}': envelopeSchema,
	'GET /envelope/{envelopeId}/audit-log': auditLogSchema,
	'GET /envelope/attachment': attachmentsSchema,
	'GET /envelope/field/{fieldId}': fieldSchema,
	'GET /folder': z.object({ data: foldersSchema }),
	'POST /envelope/create': createdSchema,
	'POST /envelope/distribute': sentSchema,
	'POST /envelope/get-many': z.object({ data: z.array(envelopeSchema) }).and(batchSchema),
	'POST /envelope/use': sentSchema,
	'POST /template/direct/create': linkSchema,
};

/** What the nodes send to an endpoint, and what they read or return of its answer. */
export interface Use {
	request: JsonSchema;
	/** What they read themselves. */
	read: JsonSchema;
	/** The whole answer: it is in the output, unless that is simplified. */
	returned: JsonSchema;
}

export interface Known {
	/** By endpoint, such as `GET /envelope/{envelopeId}`. */
	used: Map<string, Use>;
	/** Places of properties in requests and answers (`placeOf`). */
	places: Set<string>;
}

/** All that the nodes use and the local Documenso knows. What it refuses is refused in every test of the nodes, too. */
export async function readKnown(): Promise<Known> {
	const used = new Map<string, Use>();
	const places = new Set<string>();
	const { called, answers } = await observeEmulator();
	for (const endpoint of called) {
		const route = routes.find((one) => nameOf(one) === endpoint);
		if (!route) throw new Error(`The local Documenso has no ${endpoint}`);
		const input = route.kind === 'procedure' ? route.input : inPath(endpoint).and(route.query);
		const request = ofZod(input);
		const returned = schemaOf(answers.get(endpoint) ?? []);
		for (const schema of [request, returned]) {
			for (const path of propertiesOf(schema).keys()) places.add(placeOf(path));
		}
		used.set(endpoint, {
			request,
			read: ofZod(READ[endpoint] ?? z.object({}), tolerant),
			returned,
		});
	}
	return { used, places };
}

/** The path of a download is not in its query. */
function inPath(endpoint: string) {
	const names = [...endpoint.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
	return z.object(Object.fromEntries(names.map((name) => [name, z.string()])));
}

/** The local Documenso's `/envelope/:envelopeId` is `/envelope/{envelopeId}` in a description. */
function nameOf({ method, path }: { method: string; path: string }): string {
	return `${method} ${path.replace(/:(\w+)/g, '{$1}')}`;
}

function ofZod(schema: z.ZodTypeAny, options: Partial<Options> = {}): JsonSchema {
	const given = { $refStrategy: 'none', ...options } as const;
	return zodToJsonSchema(schema as z.ZodType<unknown>, given) as JsonSchema;
}

/** What has a substitute may be of any type: the nodes read it without an error. */
const tolerant: Partial<Options> = {
	override: (def) =>
		'typeName' in def && def.typeName === z.ZodFirstPartyTypeKind.ZodCatch ? {} : ignoreOverride,
};

/** Lets every operation run, and listens: the endpoints that are called, and what they answer. */
async function observeEmulator(): Promise<{ called: string[]; answers: Map<string, unknown[]> }> {
	const answers = new Map<string, unknown[]>();
	const procedures = routes.filter((route): route is Procedure => route.kind === 'procedure');
	const restore = procedures.map((route) => {
		const answer = route.answer.bind(route);
		route.answer = async (...given) => {
			const body = await answer(...given);
			const known = answers.get(nameOf(route)) ?? [];
			answers.set(nameOf(route), [...known, JSON.parse(JSON.stringify(body))]);
			return body;
		};
		return () => void (route.answer = answer);
	});
	const emulator = await startEmulator({ sealDelayMs: 0 });
	try {
		await tryAll(credentialFor(emulator), new AbortController().signal);
		const called = Object.keys(emulator.counts().calls).map((one) =>
			one.replace(/:(\w+)/g, '{$1}'),
		);
		return { called: called.sort(), answers };
	} finally {
		for (const one of restore) one();
		await emulator.close();
	}
}
