const automatic = { mappingMode: 'autoMapInputData', value: null };

/** What the scenarios run. The workflows are no different from those of an n8n that is one process. */
export function workflowsFor({ credential, template, sinkUrl }) {
	const ours = (name, type, parameters, more = {}) => ({
		name,
		type: `n8n-nodes-documenso.${type}`,
		typeVersion: 1,
		parameters,
		credentials: { documensoApi: credential },
		...more,
	});
	const fill = (operation, ifExternalIdExists = 'skip', { output, ...more } = {}) => {
		const parameters = {
			resource: 'template',
			operation,
			templateId: { __rl: true, mode: 'id', value: template.id },
			columns: automatic,
			...(output ? { output } : {}),
			additionalFields: { ifExternalIdExists },
		};
		return ours('Documenso', 'documenso', parameters, more);
	};
	/** Tells which rows are done, and which have failed. */
	const outcomes = (path, onError) => [
		...rowsAt(path),
		fill('createDocument', 'skip', { output: 'row', onError }),
		tell(
			"{{ $json.documensoResult?.ok ? 'done' : 'failed' }}",
			"$json.error || $json.documensoResult ? $json['External ID'] : ''",
		),
	];
	const tell = (via, document) => ({
		name: 'Tell',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.3,
		parameters: { method: 'POST', url: `=${sinkUrl}/${via}/{{ ${document} }}`, options: {} },
	});
	const trigger = (path, events, enrich = []) =>
		ours(
			'Trigger',
			'documensoTrigger',
			{ events, enrich, pollTimes: everyTenSeconds, options: oftenChecked },
			{ typeVersion: 2, webhookId: path },
		);
	const completed = ['DOCUMENT_COMPLETED'];
	return {
		rows: [...rowsAt('rows'), fill('createDocument')],
		careful: [...rowsAt('careful'), fill('createDocument', 'skipAcrossWorkers')],
		beside: outcomes('beside', 'continueRegularOutput'),
		apart: outcomes('apart', 'continueErrorOutput'),
		events: [trigger('events', completed), tell('{{ $json.foundBy }}', '$json.document.id')],
		/** Tells of documents whose signed PDF is there. */
		filed: [
			trigger('filed', completed, ['signedFiles']),
			tell('{{ $json.foundBy }}', "$binary.data ? $json.document.id : ''"),
		],
		waits: [
			...rowsAt('waits'),
			fill('createDocumentUntilSigned'),
			tell('wait', '$json.externalId'),
		],
		reading: [...rowsAt('reading'), readFile],
		uploading: [
			...rowsAt('uploading'),
			readFile,
			ours('Documenso', 'documenso', { resource: 'document', operation: 'create', title: 'Scan' }),
		],
		downloading: [
			...rowsAt('downloading'),
			ours('Documenso', 'documenso', {
				resource: 'document',
				operation: 'download',
				documentId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
				version: 'original',
			}),
		],
		listing: [
			...rowsAt('listing'),
			ours('Documenso', 'documenso', {
				resource: 'document',
				operation: 'getAll',
				searchIn: 'root',
			}),
		],
		/** Asks an address that the row names, with the credential. */
		asking: [
			...rowsAt('asking'),
			{
				name: 'Ask',
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.3,
				parameters: {
					url: '={{ $json.url }}',
					authentication: 'predefinedCredentialType',
					nodeCredentialType: 'documensoApi',
					options: {},
				},
				credentials: { documensoApi: credential },
			},
		],
		/** Starts no workflow, and wakes executions that wait. */
		wakes: [trigger('wakes', ['DOCUMENT_CREATED'])],
	};
}

const readFile = {
	name: 'Read',
	type: 'n8n-nodes-base.readWriteFile',
	typeVersion: 1,
	parameters: { fileSelector: '={{ $json.file }}', options: {} },
};

// Missed events are looked for more often than users need it, so that tests wait less.
const oftenChecked = { checkShare: 50 };
const everyTenSeconds = {
	item: Array.from({ length: 6 }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * 10} * * * * *`,
	})),
};

/** Rows that a webhook gets. */
function rowsAt(path) {
	return [
		{
			name: 'Webhook',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2.1,
			webhookId: path,
			parameters: { path, httpMethod: 'POST', responseMode: 'onReceived', options: {} },
		},
		{
			name: 'Rows',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			parameters: { fieldToSplitOut: 'body.rows', options: {} },
		},
	];
}
