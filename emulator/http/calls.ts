import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';

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

/** What came in since the last reset, for those who want no list of it. */
export interface Counts {
	/** `POST /envelope/use` and the like, each with how many calls got which status. */
	calls: Record<string, Record<string, number>>;
	/** The most API calls that were being answered at once. */
	maxInFlight: number;
	/** Connections on which API calls came in. */
	sockets: number;
	/** On those connections, headers and all. */
	bytesReceived: number;
}

/** Where `Counts` puts calls that have no status. */
const UNANSWERED = 'none';

export class CallLog {
	readonly calls: Call[] = [];
	maxInFlight = 0;
	private inFlight = 0;
	private bytesReceived = 0;
	private readonly sockets = new Set<Socket>();
	/** How many bytes of a connection have been counted: it outlives a reset. */
	private readonly counted = new WeakMap<Socket, number>();
	private readonly endpoints = new WeakMap<Call, string>();

	/** The endpoint is the path with `:name` for what varies. */
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
