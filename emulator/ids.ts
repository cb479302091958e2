import { Random } from './random';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const TOKEN_CHARACTERS = `${LETTERS}${LETTERS.toUpperCase()}${DIGITS}_-`;

/** IDs in the service's formats, the same in every run; a reset restarts the sequence. */
export class Ids {
	private readonly random = new Random(0x2545f491);
	private readonly counters = new Map<string, number>();

	envelope(): string {
		return `envelope_${this.characters(16, LETTERS)}`;
	}

	envelopeItem(): string {
		return `envelope_item_${this.characters(16, LETTERS)}`;
	}

	/** Begins with the time at which it is made, where that is given. */
	cuid(now?: Date): string {
		const time = now?.getTime().toString(36) ?? '';
		return `c${time}${this.characters(24, LETTERS + DIGITS).slice(time.length)}`;
	}

	signingToken(): string {
		return this.characters(21, TOKEN_CHARACTERS);
	}

	next(sequence: 'document' | 'template' | 'recipient' | 'field'): number {
		const value = (this.counters.get(sequence) ?? 0) + 1;
		this.counters.set(sequence, value);
		return value;
	}

	private characters(length: number, alphabet: string): string {
		return Array.from({ length }, () => alphabet[this.random.below(alphabet.length)]).join('');
	}
}
