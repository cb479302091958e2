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
	/** It changes nothing, so that it may be sent again: a GET, and some POSTs. */
	isRead: boolean;
}

export function getFrom(path: string, query?: IDataObject): ServiceRequest {
	return { method: 'GET', path, query, isRead: true };
}

export function post(path: string, body: IDataObject | OpenBody): ServiceRequest {
	const open = typeof body === 'function' ? body : jsonBody(body);
	return { method: 'POST', path, body: open, isRead: false };
}

export function postToRead(path: string, body: IDataObject): ServiceRequest {
	return { ...post(path, body), isRead: true };
}

/** Requests of one kind take about the same time: those of one endpoint, whatever the IDs in it. */
export function kindOf({ method, path }: ServiceRequest): string {
	return `${method} ${path.replace(/\/[^/]*[\d_][^/]*/g, '/*')}`;
}
