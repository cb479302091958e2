/** How the service's database treats numbers; callers see its errors. */

const isInt32 = (value: number): boolean => value === (value | 0);

/** The ORM silently cuts off fractions. `query` is the ORM's call: `field.findFirst`. */
export function storedInteger(value: number, query: string): number {
	const whole = Math.trunc(value);
	if (isInt32(whole)) return whole;
	const reason = `value "${value}" is out of range for type integer`;
	throw failed(query, `Value out of range for the type: ${reason}`);
}

/** In plain SQL, a fraction is an error. */
export function assertRawInteger(value: number, type: 'integer' | 'bigint'): void {
	if (!Number.isInteger(value)) {
		throw rawFailed('22P02', `invalid input syntax for type ${type}: "${value}"`);
	}
	if (type === 'integer' && !isInt32(value)) {
		throw rawFailed('22003', `value "${value}" is out of range for type integer`);
	}
}

function rawFailed(code: string, message: string): Error {
	return failed('$queryRawUnsafe', `Raw query failed. Code: \`${code}\`. Message: \`${message}\``);
}

function failed(query: string, reason: string): Error {
	return new Error(`\nInvalid \`prisma.${query}()\` invocation:\n\n\n${reason}`);
}
