import type { IExecuteFunctions } from 'n8n-workflow';

import { creatingOptions, options, planningOptions } from './commonInputs';
import type { RunOptions } from '../../shared/n8n/execution';
import { readInputs } from './readInputs';
import { Parameters } from '../../shared/n8n/parameters';
import { contextOf } from '../../shared/n8n/progress';
import { Refusal } from '../../shared/n8n/refusal';
import { isBlank } from '../../shared/n8n/values';

/** n8n's modes in which somebody tries a workflow out. */
const TESTS = ['manual', 'evaluation'];

const runInputs = { options: options(planningOptions) };
const testInputs = { options: options(creatingOptions) };

/** The options that hold for the whole run, with the values of the first item. Others are that item's alone. */
export function readRunOptions(context: IExecuteFunctions): RunOptions {
	const isTest = TESTS.includes(context.getMode());
	return isRedirected(context)
		? { isTest, ...readInputs(testInputs, only(testInputs), 0).options }
		: { isTest, ...readInputs(runInputs, only(runInputs), 0).options };

	function only({ options: { property } }: typeof runInputs): Parameters {
		const names = property.options?.map(({ name }) => name);
		return new Parameters(context, (inner) => names?.includes(inner) === true);
	}
}

/** Whether the run is a test, and the user has entered an address for tests. */
function isRedirected(context: IExecuteFunctions): boolean {
	// An operation without the option has none stored.
	const { options: entered } = context.getNode().parameters;
	const address = (entered as { manualExecutionsSendTo?: unknown } | undefined)
		?.manualExecutionsSendTo;
	if (address === undefined) return false;
	const isTest = isTestIn(context);
	if (isTest && isBlank(typeof address === 'string' ? address.replace(/^=/, '') : address)) {
		throw new Refusal(
			"'Options > In Manual Executions, Send To' is empty",
			'Enter your address. To send to the recipients also from the editor, remove the option.',
		);
	}
	if (isTest !== undefined) return isTest;
	throw new Refusal(
		"'Options > In Manual Executions, Send To' is filled in, but n8n does not tell whether the execution that is being retried was a manual one",
		"If it was a test, run the workflow again in the editor. If it was not, remove 'In Manual Executions, Send To', save the workflow, and retry this execution with the currently saved workflow.",
	);
}

/** Undefined if nothing tells it. */
function isTestIn(context: IExecuteFunctions): boolean | undefined {
	const kept: { isTest?: boolean } = contextOf(context, 'node');
	const mode = context.getMode();
	const source = mode === 'retry' ? context.getExecutionContext()?.source : mode;
	// Older versions of n8n lose the context of an execution that crashes. Its retry then starts with a new one.
	const isKnown = source !== undefined && source !== 'retry';
	// n8n saves it with the execution, if it has come to this node.
	if (isKnown) kept.isTest = TESTS.includes(source);
	return kept.isTest;
}
