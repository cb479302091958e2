import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** A piece of text on a page, in points from the page's lower left corner. */
export interface FoundText {
	page: number;
	text: string;
	left: number;
	right: number;
	baseline: number;
	/** The font size. */
	size: number;
}

interface Answer {
	id: number;
	found?: FoundText[];
	error?: string;
}

/** Finds text in PDFs, in a worker thread that starts with the first search. */
export class PdfTextReader {
	private worker: Worker | undefined;
	private readonly waiting = new Map<number, (answer: Answer) => void>();
	private count = 0;

	async search(bytes: Uint8Array, pattern: RegExp): Promise<FoundText[]> {
		this.count += 1;
		const id = this.count;
		const answered = new Promise<Answer>((resolve) => this.waiting.set(id, resolve));
		this.start().postMessage({ id, bytes: Uint8Array.from(bytes), pattern });
		const { found, error } = await answered;
		if (!found) throw new Error(error);
		return found;
	}

	async close(): Promise<void> {
		await this.worker?.terminate();
	}

	private start(): Worker {
		if (this.worker) return this.worker;
		// Without the loaders of tsx: the worker is plain JavaScript.
		this.worker = new Worker(join(__dirname, 'textWorker.mjs'), { execArgv: [] });
		this.worker.on('message', (answer: Answer) => this.settle(answer));
		this.worker.on('error', ({ message }) => {
			for (const id of this.waiting.keys()) this.settle({ id, error: message });
			this.worker = undefined;
		});
		this.worker.unref();
		return this.worker;
	}

	private settle(answer: Answer): void {
		this.waiting.get(answer.id)?.(answer);
		this.waiting.delete(answer.id);
	}
}
