import type { IDataObject } from 'n8n-workflow';

import type { ApiVersion } from './baseUrl';
import { jsonBody, type OpenBody } from './body';

export interface ServiceRequest {
	method: 'GET' | 'POST';
	path: string;
	/** The current version by default. */
	apiVersion?: ApiVersion;
	query?: IDataObject;
	/** Every POST needs one. */
	body?: OpenBody;
	/** A POST that only reads may be retried like a GET. */
	isRead?: boolean;
}

/** A request that only reads. */
export function getFrom(path: string, query?: IDataObject): ServiceRequest {
	return { method: 'GET', path, query };
}

/** A request that changes something. */
export function post(path: string, body: IDataObject): ServiceRequest {
	return { method: 'POST', path, body: jsonBody(body) };
}

/** A request that only reads although it is a POST. */
export function postToRead(path: string, body: IDataObject): ServiceRequest {
	return { ...post(path, body), isRead: true };
}

/** Requests of one kind take about the same time: those of one endpoint, whatever the IDs in it. */
export function kindOf({ method, path }: ServiceRequest): string {
	const segments = path.split('/').map((segment) => (/[\d_]/.test(segment) ? '*' : segment));
	return `${method} ${segments.join('/')}`;
}

/** Whether a request changes nothing, so that it may be sent again. */
export function isRead(request: ServiceRequest): boolean {
	return request.isRead ?? request.method === 'GET';
}
