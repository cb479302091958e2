import type { IExecuteFunctions } from 'n8n-workflow';

import type { Client } from '../../shared/api/client';
import { CREDENTIAL, type Credential } from '../../shared/api/exchange';
import type { Execution } from '../../shared/n8n/execution';
import type { Resumption } from '../../shared/n8n/process';
import { resumptionsIn, sealed, type Keys } from '../../shared/envelope/marker';
import { resumeAddressIn } from '../../shared/waiting/reach';

/** An execution that is going to wait, and how events of its documents lead back to it. */
export interface Waiter {
	context: IExecuteFunctions;
	client: Client;
	resumption: Resumption;
	keys: Keys;
	/** Made once, because each one that is made looks different. */
	marker: string;
}

/** The execution itself, the same for all its items. */
export async function waiterOf(execution: Execution): Promise<Waiter> {
	const client = await execution.client();
	return await client.once('waiter', async () => {
		const { context } = execution;
		const resumption = {
			executionId: context.getExecutionId(),
			token: resumeUrlOf(context).searchParams.get('signature') ?? '',
		};
		const { apiToken = '' } = await context.getCredentials<Credential>(CREDENTIAL);
		const keys = { apiToken, instanceId: context.getInstanceId() };
		return { context, client, resumption, keys, marker: sealed(resumption, keys) };
	});
}

/** Whether an external ID leads to the execution, also by the marker of an earlier try of its node. */
export function leadsTo({ resumption, keys }: Waiter, externalId: string | null | undefined) {
	return [...resumptionsIn(externalId ?? '', keys).values()].some(
		({ executionId, token }) =>
			executionId === resumption.executionId && token === resumption.token,
	);
}

/** Where this n8n resumes executions. */
export function resumeAddressOf(context: IExecuteFunctions): string {
	return resumeAddressIn(resumeUrlOf(context));
}

/** n8n's address for resuming, such as https://n8n.example.com/webhook-waiting/57?signature=0123… */
function resumeUrlOf(context: IExecuteFunctions): URL {
	return new URL(context.evaluateExpression('{{ $execution.resumeUrl }}', 0) as string);
}
