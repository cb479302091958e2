/** A node of this package. */
export function documenso({ credentials }, parameters) {
	return {
		name: 'Documenso',
		type: 'n8n-nodes-documenso.documenso',
		typeVersion: 1,
		parameters,
		credentials: credentials.documensoApi,
	};
}

/** n8n's node for any HTTP request, with the credential of this package. */
export function httpRequest({ credentials, apiUrl }, method, path, parameters = {}, settings = {}) {
	return {
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.5,
		parameters: {
			method,
			url: path.includes('{{') ? `=${apiUrl}${path}` : `${apiUrl}${path}`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'documensoApi',
			options: {},
			...parameters,
		},
		credentials: credentials.documensoApi,
		...settings,
	};
}

/** n8n's node that starts a workflow for each POST to this path. */
export function webhook(path, parameters) {
	return {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		webhookId: path,
		parameters: {
			path,
			httpMethod: 'POST',
			responseMode: 'onReceived',
			options: {},
			...parameters,
		},
	};
}

/** Makes an item of each entry of a list. */
export function splitOut(name, fieldToSplitOut) {
	return {
		name,
		type: 'n8n-nodes-base.splitOut',
		typeVersion: 1,
		parameters: { fieldToSplitOut, options: {} },
	};
}

/** The items that a request to the webhook holds. */
export const itemsOfBody = splitOut('Items', 'body.items');

/** Calls an address that is not Documenso's, with nothing in the body. */
export function callTo(name, url) {
	return {
		name,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.5,
		parameters: { method: 'POST', url, options: {} },
	};
}

/** The parameters for a JSON body. `}}` would end the expression. */
export function jsonBody(expression) {
	return {
		sendBody: true,
		contentType: 'json',
		specifyBody: 'json',
		jsonBody: `={{ (${expression.replace(/}(?=})/g, '} ')}) }}`,
	};
}

export function byId(value) {
	return { __rl: true, mode: 'id', value };
}
