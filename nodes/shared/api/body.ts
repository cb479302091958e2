import type { IDataObject } from 'n8n-workflow';

import { MultipartForm, type UploadFile } from './multipart';

/** What is sent. A form sets its own content type, because that contains the boundary. */
export interface RequestBody {
	contentType?: string;
	content: string | MultipartForm;
	/** Closes the files that are still open when a request ends early. */
	close?(): void;
	/** Why a file could not be read to its end. */
	failure?: unknown;
}

/** Called for each attempt, so that a retry sends the whole body and not a drained stream. */
export type OpenBody = () => RequestBody;

/** As text, because n8n's HTTP helper drops an empty object, and every POST needs a body. */
export function jsonBody(value: IDataObject): OpenBody {
	const content = JSON.stringify(value);
	return () => ({ contentType: 'application/json', content });
}

/** `payload` has to be a plain part, the files typed parts (documenso-api.md: Multipart requests). */
export function multipart(payload: IDataObject, files: UploadFile[]): OpenBody {
	return () => {
		const opened: Array<ReturnType<UploadFile['stream']>> = [];
		let failure: unknown;
		const form = new MultipartForm().append('payload', JSON.stringify(payload));
		for (const file of files) {
			const stream = () => {
				const bytes = file.stream();
				opened.push(bytes);
				return reporting(bytes, (error) => (failure = error));
			};
			form.append('files', { ...file, stream });
		}
		const close = () => {
			for (const bytes of opened) bytes.return(undefined).catch(() => undefined);
		};
		return {
			content: form,
			close,
			get failure() {
				return failure;
			},
		};
	};
}

/** The same bytes. n8n's HTTP library hides why a file could not be read behind a broken connection. */
async function* reporting(
	bytes: ReturnType<UploadFile['stream']>,
	report: (error: unknown) => void,
) {
	for (;;) {
		const { done, value } = await bytes.next().catch((error: unknown) => {
			report(error);
			throw error;
		});
		if (done) return;
		yield value;
	}
}
