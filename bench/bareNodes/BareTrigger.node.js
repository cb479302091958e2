/** A lower bound: starts an execution with the body of each request, and does nothing else. */
class BareTrigger {
	description = {
		displayName: 'Bare Trigger',
		name: 'bareTrigger',
		group: ['trigger'],
		// Like the trigger of this package: for each request to one of version 1, n8n evaluates an expression.
		version: 2,
		description: 'Starts a workflow for each request',
		defaults: { name: 'Bare Trigger' },
		inputs: [],
		outputs: ['main'],
		webhooks: [
			{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' },
		],
		properties: [],
	};

	async webhook() {
		return { workflowData: [[{ json: this.getBodyData() }]] };
	}
}

module.exports = { BareTrigger };
