import { happyPaths, type Stage } from './happyPaths';
import type { operations } from './operations';
import { beforeCall } from './polling';
import { contract, type useService } from './suite';

/** The local Documenso of a suite, for trying operations. */
export function localStage(suite: ReturnType<typeof useService>): Stage {
	return {
		outputOf: suite.outputOf,
		document: suite.document,
		template: async () => await Promise.resolve(suite.template()),
		contract: () => contract,
		completed: async () => {
			const document = await suite.document('createAndSend');
			await suite.complete(document.id);
			return document;
		},
		signWhenRead: () => {
			const restore = beforeCall(suite.service, (line) => {
				if (!line.startsWith('POST /envelope/get-many')) return;
				restore();
				for (const document of suite.documents()) {
					Object.assign(document, { status: 'COMPLETED', completedAt: new Date() });
				}
			});
		},
	};
}

/** Prepares the service, and returns how the operation is called then. */
export async function inputOf(
	{ id, resource, operation }: (typeof operations)[number],
	stage: Stage,
) {
	const path = happyPaths[id];
	if (!path) throw new Error(`${id} has no happy path`);
	const { parameters, items, others = [] } = await path(stage);
	const call = { resource, operation: operation.value };
	return {
		parameters: { ...call, ...parameters },
		items,
		others: others.map((other) => ({ ...other, parameters: { ...call, ...other.parameters } })),
	};
}
