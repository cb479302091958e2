import type { IncomingHttpHeaders } from 'node:http';

/** One API call as it arrived. */
export interface Call {
	method: string;
	/** Below API v2's base URL and still encoded: `/envelope/create`; of v1 with it: `/api/v1/me`. */
	path: string;
	query: Record<string, string>;
	headers: IncomingHttpHeaders;
	/** The parsed JSON, or `{ payload, files }` of a multipart body. */
	body?: unknown;
	/** Missing while the call is being answered, and when its connection was cut. */
	status?: number;
}

export class CallLog {
	readonly calls: Call[] = [];
	maxInFlight = 0;
	private inFlight = 0;

	begin(call: Call): void {
		this.calls.push(call);
		this.inFlight += 1;
		this.maxInFlight = Math.max(this.maxInFlight, this.inFlight);
	}

	end(): void {
		this.inFlight -= 1;
	}

	clear(): void {
		this.calls.length = 0;
		this.maxInFlight = this.inFlight;
	}
}
