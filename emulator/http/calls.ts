import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';

/** One API call. */
export interface Call {
	method: string;
	/** Encoded and relative to API v2's base URL: `/envelope/create`. For v1 the full path: `/api/v1/me`. */
	path: string;
	query: Record<string, string>;
	headers: IncomingHttpHeaders;
	/** The parsed JSON, or `{ payload, files }` for a multipart body. Missing if Documenso never got it. */
	body?: unknown;
	/** Missing until the response is sent, and if the connection was cut. */
	status?: number;
}

/** A summary of the calls since the last reset. */
export interface Counts {
	/** Calls by endpoint (`POST /envelope/use`), then by status. */
	calls: Record<string, Record<string, number>>;
	/** The highest number of concurrent API calls. */
	maxInFlight: number;
	/** Connections that carried API calls. */
	sockets: number;
	/** On those connections, including headers. */
	bytesReceived: number;
}

/** The key in `Counts` for calls without a status. */
const UNANSWERED = 'none';

export class CallLog {
	readonly calls: Call[] = [];
	maxInFlight = 0;
	private inFlight = 0;
	private bytesReceived = 0;
	private readonly sockets = new Set<Socket>();
	/** Bytes of a connection counted so far, because a connection survives a reset. */
	private readonly counted = new WeakMap<Socket, number>();
	private readonly endpoints = new WeakMap<Call, string>();

	/** `endpoint` is the path with `:name` for parameters. */
	begin(call: Call, endpoint: string, socket: Socket): void {
		this.calls.push(call);
		this.endpoints.set(call, endpoint);
		this.inFlight += 1;
		this.maxInFlight = Math.max(this.maxInFlight, this.inFlight);
		this.sockets.add(socket);
	}

	end(socket: Socket): void {
		this.inFlight -= 1;
		this.bytesReceived += socket.bytesRead - (this.counted.get(socket) ?? 0);
		this.counted.set(socket, socket.bytesRead);
	}

	counts(): Counts {
		const calls: Counts['calls'] = {};
		for (const call of this.calls) {
			const byStatus = (calls[`${call.method} ${this.endpoints.get(call) ?? call.path}`] ??= {});
			const status = call.status ?? UNANSWERED;
			byStatus[status] = (byStatus[status] ?? 0) + 1;
		}
		const { maxInFlight, bytesReceived } = this;
		return { calls, maxInFlight, sockets: this.sockets.size, bytesReceived };
	}

	clear(): void {
		this.calls.length = 0;
		this.maxInFlight = this.inFlight;
		this.sockets.clear();
		this.bytesReceived = 0;
	}
}
