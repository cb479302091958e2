import { options } from '../../engine/commonInputs';
import { choice, flag, input, limiting, shownFor, textOf } from '../../../shared/n8n/input';
import { list } from '../../engine/kinds';
import { between, email } from '../../../shared/n8n/values';
import { recordsOf } from '../../../shared/envelope/read';
import { filtersOf, places, whichDocuments } from '../../../shared/inputs/filters';
import { recipientDetails } from '../../inputs/recipientSettings';
import { peopleIn, STATES } from './people';

export const inputs = {
	recipientState: choice(
		'Recipients',
		[
			{ name: 'All', value: 'all', description: 'Also those who only get a copy' },
			{ name: 'Has Acted', value: 'hasActed', description: 'Who has signed, approved or rejected' },
			{ name: 'Has to Act', value: 'hasToAct', description: 'Who has not signed or approved yet' },
			{ name: 'Not Opened', value: 'notOpened', description: 'Who has not even opened it' },
			{
				name: 'Rejected',
				value: 'rejected',
				description: 'Who has rejected a document, with the reason',
			},
			{
				name: 'Signing Link Expired',
				value: 'expired',
				description: 'Whose time to sign is over; Document: Resend renews it',
			},
		],
		{ default: 'hasToAct', description: 'Which recipients to return' },
	),
	...shownFor('recipientState', ['hasToAct'], {
		whoseTurn: flag('Only Whose Turn It Is', true, {
			description:
				'Whether to leave out recipients who have to wait for others, because the document is signed in an order',
		}),
	}),
	...places,
	filters: filtersOf({
		...whichDocuments,
		email: limiting(
			textOf('Email', email, {
				placeholder: 'name@email.com',
				description: 'Only recipients with this address',
			}),
		),
		role: recipientDetails.role,
		waitingDays: limiting(
			input(
				{
					displayName: 'Waiting for at Least (Days)',
					type: 'number',
					typeOptions: { minValue: 0 },
					default: 3,
					description:
						'Only recipients who have had so many days to act. Counts from when the document was created; with Add Dates, from when it was sent to them.',
				},
				between(0, Infinity),
			),
		),
	}),
	options: options({
		addDates: flag('Add Dates', false, {
			description:
				'Whether to say when each recipient was sent the document, opened it and was reminded. Takes one more request for each document that the filters leave.',
		}),
		includeSigningLinks: flag('Include Signing Links', false, {
			description:
				'Whether to add the signing links. Anyone who has a link can sign for the recipient.',
		}),
	}),
};

export const getMany = list({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get recipients who have not signed',
	description: 'Find the recipients of many documents, for example those who have not signed yet',
	returns: 'a recipient, with the document',
	inputs,
	records: async (wanted, item, count) => {
		const { recipientState, filters } = wanted;
		// The addresses are compared here: Documenso searches for one in 1,000 documents only (documenso-api.md: Search).
		const { email: _email, role: _role, waitingDays: _days, ...documents } = filters;
		const which = {
			...{ status: STATES[recipientState].status },
			...documents,
			...(recipientState === 'expired' ? { hasExpiredRecipients: true } : {}),
		};
		const found = await recordsOf('DOCUMENT', { ...wanted, filters: which }, item, {
			wanted: count,
			keep: async (records) => await peopleIn(records, wanted, item.client),
		});
		// It was there to sort by.
		return found.map(({ createdAt: _createdAt, ...person }) => person);
	},
});
