import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	IHookFunctions,
	INodeExecutionData,
	INodeProperties,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { HttpClient } from '../shared/api/client';
import type { Credential } from '../shared/api/exchange';
import { credentialTest } from '../shared/n8n/credentialTest';
import { addHint } from '../shared/n8n/hint';
import { propertiesOf } from '../shared/n8n/input';
import { withNodeErrors } from '../shared/n8n/nodeError';
import { searchTemplateNumbers } from '../shared/pickers/envelopes';
import { listen, stopListening } from '../shared/waiting/listeners';
import { addressesFor } from '../shared/waiting/reach';
import { withAdditions } from '../shared/events/additions';
import { isSelected } from '../shared/events/filters';
import { checkedSelection } from '../shared/events/inputs';
import { FINAL_EVENTS, nudge } from '../shared/events/nudge';
import { SIMPLIFIED_HINT } from '../shared/events/output';
import { withoutStates } from '../shared/polls/stored';
import { authenticate, requireSecret } from './authenticate';
import { check, prepareChecks } from './check';
import { confirm } from './confirm';
import { deduplicate, forgetDeliveries } from './deduplicate';
import { emit } from './emit';
import { oncePerEvent } from './history';
import { inputs, readSettings, type Settings } from './inputs';
import { parse, type Delivery } from './parse';
import { deregister, isRegistered, register } from './registration';

export class DocumensoTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Documenso Trigger',
		name: 'documensoTrigger',
		icon: { light: 'file:../../icons/documenso.svg', dark: 'file:../../icons/documenso.dark.svg' },
		group: ['trigger'],
		// Not 1: for that version, n8n evaluates an expression on every delivery, which takes time and has no use here.
		version: 2,
		subtitle:
			'={{ $parameter["events"].join(", ").replace(/_/g, " ").replace(/\\B[A-Z]/g, (letter) => letter.toLowerCase()) }}',
		// In the list of nodes, n8n shows this for both nodes in one entry.
		description:
			'Starts a workflow when a document is sent, signed or completed; the Documenso node creates and sends documents',
		defaults: { name: 'Documenso Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'documensoApi', required: true, testedBy: 'testDocumensoApi' }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				// Without it n8n answers with the literal text "firstEntryJson".
				responseData: '',
				path: 'webhook',
			},
		],
		triggerPanel: {
			header: '',
			executionsHelp: {
				inactive:
					'<b>To test</b>, click Execute step, then cause an event in Documenso within two minutes. With manual registration, first paste the <b>Test URL</b> into a webhook in Documenso.<br><br><b>When you are ready</b>, publish the workflow. With manual registration, replace the URL with the <b>Production URL</b>.',
				active:
					'This workflow starts on the events you selected. <b>To test changes</b>, click Execute step, then cause an event in Documenso. With manual registration, first paste the <b>Test URL</b> into a second webhook in Documenso, and delete that webhook afterwards.',
			},
			activationHint:
				'Once you publish the workflow, events start it. You can see its runs on the executions page.',
		},
		properties: [...propertiesOf(inputs), checkTimes],
		builderHint: {
			searchHint: `${SIMPLIFIED_HINT} With registration 'manual', tell the user to paste the Production URL of this node into Documenso, under Team Settings > Webhooks, with the same events and with the Webhook Secret of the credential; before that, events are only found minutes later. With registration 'automatic', nobody has to, but the API token must be that of a team's admin or manager. For the signed PDF, use enrich ['signedFiles'].`,
		},
	};

	methods = { credentialTest, listSearch: { searchTemplateNumbers } };

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return await withNodeErrors(this, async () => {
					const settings = readSettings(this);
					// The node cannot know whether its URL was pasted into Documenso.
					if (!settings.isAutomatic) return false;
					const { events } = checkedSelection(settings);
					if (!(await isRegistered(this, events))) return false;
					await prepare(this, settings);
					return true;
				});
			},

			async create(this: IHookFunctions): Promise<boolean> {
				return await withNodeErrors(this, async () => {
					const settings = readSettings(this);
					const { events } = checkedSelection(settings);
					if (settings.isAutomatic) {
						await register(this, events);
					} else {
						await requireSecret(this, settings);
						await deregister(this);
					}
					await prepare(this, settings);
					return true;
				});
			},

			async delete(this: IHookFunctions): Promise<boolean> {
				if (!isInEditor(this)) {
					stopListening(this);
					forgetDeliveries(this);
				}
				await deregister(this);
				return true;
			},
		},
	};

	/** n8n answers 200 once it has accepted the execution. What takes time is left to that. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await withNodeErrors(this, async () => {
			const settings = readSettings(this);
			const credential = await authenticate(this, settings);
			if (!credential) return refuse(this, 401);
			const delivery = parse(this.getBodyData());
			if (!delivery) return refuse(this, 400);
			wake(this, credential, delivery);
			if (!select(delivery, settings)) return acknowledged;
			// Documenso may only be down for a moment, and retries the delivery.
			const confirmed = await confirm(this, credential, delivery, settings);
			if (!confirmed) return refuse(this, 503);
			if (!(await deduplicate(this, delivery, settings))) return acknowledged;
			const item = await emit(this, credential, delivery, settings, confirmed);
			return { ...acknowledged, workflowData: [[item]] };
		});
	}

	/** Looks for what deliveries have missed. It starts the executions itself: one for each event. */
	async poll(this: IPollFunctions): Promise<null> {
		await check(this, readSettings(this));
		return null;
	}

	/** Runs first in an execution, on a worker in queue mode. */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await withNodeErrors(this, async () => {
			const settings = readSettings(this);
			const items = withoutStates(this, this.getInputData());
			const add = async (item: INodeExecutionData) => await withAdditions(this, item, settings);
			const kept = await oncePerEvent(this, items, settings, add);
			explain(this, items, kept);
			return [kept];
		});
	}
}

/** Says in the editor what an execution was for, if it is not what a user expects of a trigger. */
function explain(
	context: IExecuteFunctions,
	events: INodeExecutionData[],
	kept: INodeExecutionData[],
) {
	const leaveOff = 'Leave Always Output Data off in the settings of this node.';
	if (events.length === 0) return;
	if (kept.length === 0) {
		const advice = 'To run the workflow for it again, retry that one.';
		addHint(context, `An earlier execution has had this event. ${advice} ${leaveOff}`);
	} else if (events.some(({ json }) => json.foundBy === 'check')) {
		const where = "Documenso's list of deliveries (Team Settings > Webhooks)";
		const advice = `If n8n was running when it happened, see ${where} and failed executions for the reason.`;
		addHint(
			context,
			`No delivery started the workflow for this event; the trigger found it. ${advice}`,
		);
	}
}

/** When n8n polls. It does not show it, because the node is no polling trigger by its description. */
const checkTimes: INodeProperties = {
	displayName: 'Poll Times',
	name: 'pollTimes',
	type: 'hidden',
	default: { item: [{ mode: 'everyMinute' }] },
};

const acknowledged: IWebhookResponseData = { webhookResponse: { received: true } };

/**
 * Whether somebody tries the node out in the editor, which must not change what this process knows of the published node.
 * n8n calls `delete` at the end of both, but says that the workflow of a test is not active.
 */
function isInEditor(context: IHookFunctions): boolean {
	return !context.getWorkflow().active;
}

/** Once Documenso can deliver. */
async function prepare(context: IHookFunctions, settings: Settings) {
	if (isInEditor(context)) return;
	prepareChecks(context, settings);
	// Executions that wait get to know of the trigger. Whether the credential can be used shows elsewhere.
	const client = await HttpClient.of(context).catch(() => undefined);
	if (client) listen(context, client);
}

/** A forger must not learn what was wrong. */
function refuse(context: IWebhookFunctions, status: number): IWebhookResponseData {
	context.getResponseObject().status(status).end();
	return { noWebhookResponse: true };
}

function select({ event, isTest }: Delivery, { selection, ignoresTests }: Settings): boolean {
	if (isTest && ignoresTests) return false;
	return isSelected(event, selection());
}

/** The limits of a nudge, in milliseconds. n8n may be busy, and has to store an execution before it waits. */
const LIMITS = { timeout: 60_000, patience: 60_000 };

/**
 * Wakes the executions that wait for the document, also after an event that starts none here. It goes on when the
 * delivery has been answered, because Documenso waits only ten seconds.
 */
function wake(context: IWebhookFunctions, credential: Credential, { event }: Delivery) {
	if (!FINAL_EVENTS.includes(event.name)) return;
	const addresses = () => addressesFor(context);
	// It never throws.
	void nudge(context, event.asItWas, { credential, addresses, ...LIMITS });
}
