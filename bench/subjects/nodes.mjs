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
