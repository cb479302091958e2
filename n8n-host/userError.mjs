/** An error that the person at the terminal can fix. It is shown as one sentence, without a stack trace. */
export class UserError extends Error {}
