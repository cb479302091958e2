import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { inputOf } from '../support/localStage';
import type { Credential } from '../support/n8n';
import { operations } from '../support/operations';
import { schemaOf, type Schema } from '../support/schema';
import { LiveStage } from './stage';

/** How an operation went. */
export interface Attempt {
	operation: string;
	milliseconds: number;
	/** Why it failed. */
	error?: string;
}

export interface Results {
	attempts: Attempt[];
	/** What could not be deleted, and why. */
	left: string[];
}

type Operation = (typeof operations)[number];

/** Tries every operation, one after another, each on something that it created before, and then deletes everything. */
export async function tryAll(
	credential: Credential,
	signal: AbortSignal,
	tried: (attempt: Attempt) => void = () => undefined,
): Promise<Results> {
	const stage = new LiveStage(credential);
	const attempts: Attempt[] = [];
	try {
		await stage.open();
		for (const operation of operations) {
			// What is under way may still create something, so it is not left alone.
			if (signal.aborted) break;
			const attempt = await tryOne(stage, operation);
			attempts.push(attempt);
			tried(attempt);
		}
	} catch (error) {
		attempts.push({ operation: 'folder.create', milliseconds: 0, error: said(error) });
	}
	return { attempts, left: await stage.close() };
}

async function tryOne(stage: LiveStage, one: Operation): Promise<Attempt> {
	let began = performance.now();
	const attempt = (error?: string): Attempt => ({
		operation: one.id,
		milliseconds: Math.round(performance.now() - began),
		...(error ? { error } : {}),
	});
	try {
		const { parameters, items, others } = await inputOf(one, stage);
		began = performance.now();
		const fault = faultIn(await stage.outputOf(parameters, items), one);
		for (const other of others) await stage.outputOf(other.parameters, other.items);
		return attempt(fault);
	} catch (error) {
		return attempt(said(error));
	}
}

function said(error: unknown): string {
	const { message, description } = error as Error & { description?: string };
	return [message, description].filter(Boolean).join(' ');
}

/** What the output lacks of what the editor shows before the node has run. */
function faultIn(outputs: IDataObject[], { resource, operation }: Operation): string | undefined {
	const folder = join(__dirname, '..', '..', 'nodes', 'Documenso', '__schema__', 'v1.0.0');
	const file = join(folder, resource, `${operation.value}.json`);
	const { properties: shown = {} } = JSON.parse(readFileSync(file, 'utf8')) as Schema;
	const { properties: there = {} } = schemaOf(outputs);
	const lacking = Object.keys(shown).filter((key) => !(key in there));
	return lacking.length > 0 ? `The output lacks ${lacking.join(', ')}` : undefined;
}
