/** How the service's database treats numbers and texts; callers see its errors. */

const isInt32 = (value: number): boolean => value === (value | 0);

/** The ORM silently cuts off fractions. `query` is the ORM's call: `field.findFirst`. */
export function storedInteger(value: number, query: string): number {
	const whole = Math.trunc(value);
	if (isInt32(whole)) return whole;
	const reason = `value "${value}" is out of range for type integer`;
	throw failed(query, `Value out of range for the type: ${reason}`);
}

/** The ORM writes 16 significant digits; some of those texts are no number's shortest. */
export function storedDecimal(value: number): string {
	return value.toPrecision(16).replace(/\.?0+(?=e|$)/, '');
}

/** The ORM takes years of four digits only. */
export function storedDate(date: Date, query: string): Date {
	if (date.getUTCFullYear() <= 9999) return date;
	throw failed(query, 'Invalid value provided. Expected ISO-8601 DateTime.');
}

/** In plain SQL, a fraction is an error. */
export function assertRawInteger(value: number, type: 'integer' | 'bigint'): void {
	if (!Number.isInteger(value)) {
		throw rawFailed('22P02', `invalid input syntax for type ${type}: "${value}"`);
	}
	if (type === 'bigint' && !Number.isSafeInteger(value)) {
		const message = `Error: ${value} can't be represented as a JavaScript number`;
		throw failed('$queryRawUnsafe', `Serialization Error: ${message}`);
	}
	if (type === 'integer' && !isInt32(value)) {
		throw rawFailed('22003', `value "${value}" is out of range for type integer`);
	}
}

/** Keys of texts that are looked up rather than stored. */
const LOOKED_UP = new Set(['envelopeId', 'ids', 'token']);

/** Texts with a NUL or half a surrogate pair fail only when they are stored, so with a 500. */
export function assertStorable(value: unknown, key = ''): void {
	if (LOOKED_UP.has(key)) return;
	if (typeof value === 'string') {
		if (value.includes('\0')) throw new Error('invalid byte sequence for encoding "UTF8": 0x00');
		if (/\p{Surrogate}/u.test(value)) throw new Error('JSON Error: unexpected end of hex escape');
	} else if (typeof value === 'object' && value !== null) {
		for (const [name, part] of Object.entries(value)) {
			assertStorable(name);
			assertStorable(part, Array.isArray(value) ? key : name);
		}
	}
}

/** A key of another table: Prisma's words where that row does not exist. */
export function brokenReference(query: string, constraint: string): Error {
	return failed(query, `Foreign key constraint violated on the constraint: \`${constraint}\``);
}

/** A row that an operation of the ORM requires is missing. */
export function missingRecord(query: string, operation: 'query' | 'delete' | 'update'): Error {
	const article = operation === 'update' ? 'an' : 'a';
	const reason =
		'An operation failed because it depends on one or more records that were required but not ' +
		`found. No record was found for ${article} ${operation}.`;
	return failed(query, reason);
}

function rawFailed(code: string, message: string): Error {
	return failed('$queryRawUnsafe', `Raw query failed. Code: \`${code}\`. Message: \`${message}\``);
}

function failed(query: string, reason: string): Error {
	return new Error(`\nInvalid \`prisma.${query}()\` invocation:\n\n\n${reason}`);
}
