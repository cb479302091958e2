/** A lower bound: sends each item with n8n's helper, some at once, and does nothing else. */
class BareRequests {
	description = {
		displayName: 'Bare Requests',
		name: 'bareRequests',
		group: ['transform'],
		version: 1,
		description: 'Post each item as it is',
		defaults: { name: 'Bare Requests' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'documensoApi', required: true }],
		properties: [
			{ displayName: 'URL', name: 'url', type: 'string', default: '' },
			{ displayName: 'At Once', name: 'atOnce', type: 'number', default: 1 },
		],
	};

	async execute() {
		const url = this.getNodeParameter('url', 0);
		const data = await this.getCredentials('documensoApi');
		const credentialsDecrypted = { id: '', name: '', type: 'documensoApi', data };
		const queue = this.getInputData().entries();
		const output = [];
		const worker = async () => {
			for (const [item, { json: body }] of queue) {
				const json = await this.helpers.httpRequestWithAuthentication.call(
					this,
					'documensoApi',
					{ method: 'POST', url, body, json: true },
					{ credentialsDecrypted },
				);
				output[item] = { json, pairedItem: { item } };
			}
		};
		await Promise.all(Array.from({ length: this.getNodeParameter('atOnce', 0) }, worker));
		return [output];
	}
}

module.exports = { BareRequests };
