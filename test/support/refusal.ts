/** How Documenso refuses a request: only an answer of this form tells that nothing was done. */
export function refusal(message: string, status = 400) {
	const code = status === 500 ? 'INTERNAL_SERVER_ERROR' : 'BAD_REQUEST';
	return { status, body: { message, code, data: { code, httpStatus: status } } };
}
