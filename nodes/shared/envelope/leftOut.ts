/**
 * What a recipient of a template who is left out of a document has for an address while the document is a draft: before
 * it is sent, they are deleted. Nothing can be delivered to it (RFC 2606), and no other address looks like it.
 */
export function leftOutAddress(recipientId: number): string {
	return `left-out.${recipientId}@n8n.invalid`;
}

const LEFT_OUT = /^left-out\.\d+@n8n\.invalid$/i;

export function isLeftOut({ email }: { email: string }): boolean {
	return LEFT_OUT.test(email);
}

export function idsOfLeftOut({
	recipients,
}: {
	recipients: Array<{ id: number; email: string }>;
}): number[] {
	return recipients.filter(isLeftOut).map(({ id }) => id);
}
