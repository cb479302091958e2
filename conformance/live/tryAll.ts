import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { inputOf } from '../../test/support/localStage';
import type { Credential } from '../../test/support/n8n';
import { operations } from '../../test/support/operations';
import { schemaOf, type Schema } from '../../test/support/schema';
import { effects, holds, look, type Read, type Tried } from './effects';
import { LiveStage } from './stage';

/** How an operation went. */
export interface Attempt {
	operation: string;
	milliseconds: number;
	/** Why it failed. */
	error?: string;
}

interface Results {
	attempts: Attempt[];
	/** What could not be deleted, and why. */
	left: string[];
}

type Operation = (typeof operations)[number];

/** Told while operations are tried. */
export interface Progress {
	/** What the operation needs is there: now it runs. */
	begins?: (operation: string) => void;
	ended?: (attempt: Attempt) => void;
}

/** Tries every operation, one after another, each on something that it created before, and then deletes everything. */
export async function tryAll(
	credential: Credential,
	signal: AbortSignal,
	progress: Progress = {},
): Promise<Results> {
	const stage = new LiveStage(credential);
	const attempts: Attempt[] = [];
	try {
		await stage.open();
		for (const operation of operations) {
			// What is under way may still create something, so it is not left alone.
			if (signal.aborted) break;
			const attempt = await tryOne(stage, operation, progress);
			attempts.push(attempt);
			progress.ended?.(attempt);
		}
	} catch (error) {
		attempts.push({ operation: 'folder.create', milliseconds: 0, error: said(error) });
	}
	return { attempts, left: await stage.close() };
}

async function tryOne(stage: LiveStage, one: Operation, progress: Progress): Promise<Attempt> {
	let began = performance.now();
	const attempt = (error?: string): Attempt => ({
		operation: one.id,
		milliseconds: Math.round(performance.now() - began),
		...(error ? { error } : {}),
	});
	try {
		const { parameters, items, others } = await inputOf(one, stage);
		const effect = await expectEffect(stage, one, parameters);
		progress.begins?.(one.id);
		began = performance.now();
		const outputs = await stage.outputOf(parameters, items);
		const fault = faultIn(outputs, one) ?? (await effect.faultAfter(outputs));
		for (const other of others) await stage.outputOf(other.parameters, other.items);
		return attempt(fault);
	} catch (error) {
		return attempt(said(error));
	}
}

/** Compares what Documenso shows before and after the operation: a success alone proves nothing. */
async function expectEffect(stage: LiveStage, { id }: Operation, parameters: IDataObject) {
	const effect = effects[id];
	if (!effect) return { faultAfter: () => undefined };
	const read: Read = async (path, body) => await stage.read(path, body);
	const tried: Tried = { parameters, output: {}, folder: stage.folders.DOCUMENT };
	tried.before = await look(effect, tried, read);
	if (holds(effect, tried, tried.before)) throw new Error('There is nothing left to change');
	return {
		faultAfter: async ([output = {}]: IDataObject[]) => {
			const now = { ...tried, output };
			const isThere = holds(effect, now, await look(effect, now, read));
			return isThere ? undefined : `Documenso answered, but nothing has changed: ${effect.at(now)}`;
		},
	};
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
