import type { Recipient, Team, User } from '../entities';
import { newEnvelope, newField, newItem, newRecipient } from '../envelopes/draft';
import type { Instance } from '../instance';
import { fieldAndMeta, type FieldType, type Place } from '../schemas/fields';
import { Paper } from './paper';

/** IDs that the example workflows and tests use; the numbers depend on the order below. */
export const RENTAL_AGREEMENT = {
	id: 'envelope_rentalagreements',
	itemId: 'envelope_item_rentalagreements',
	title: 'Rental agreement',
	tenantId: 1,
	landlordId: 2,
	fields: {
		address: 1,
		rent: 2,
		startDate: 3,
		payment: 4,
		tenantSignature: 5,
		tenantDate: 6,
		landlordSignature: 7,
		landlordDate: 8,
	},
} as const;

export const MUTUAL_NDA = {
	id: 'envelope_mutualndatemplat',
	itemId: 'envelope_item_mutualndatemplat',
	title: 'Mutual NDA',
	signerId: 3,
	fields: { company: 9, signature: 10, date: 11 },
} as const;

export const EMPLOYMENT_CONTRACT = {
	id: 'envelope_employmentcontract',
	itemId: 'envelope_item_employmentcontract',
	title: 'Employment contract',
} as const;

export const PAYMENT_OPTIONS = ['Bank transfer', 'Direct debit', 'Card'] as const;

interface Signer extends Pick<Recipient, 'name' | 'email'> {
	fields?: Array<[type: FieldType, place: Place, settings: object]>;
	signature: Place;
	/** Of the signature. */
	date: Place;
}

interface Contract {
	bytes: Uint8Array;
	/** In the order in which they sign. */
	signers: Signer[];
}

export async function seedDemo(instance: Instance, user: User, team: Team): Promise<void> {
	for (const [template, contract] of [
		[RENTAL_AGREEMENT, await rentalAgreement()],
		[MUTUAL_NDA, await mutualNda()],
		[EMPLOYMENT_CONTRACT, await employmentContract()],
	] as const) {
		await addTemplate(instance, { user, team }, template, contract);
	}
}

async function addTemplate(
	instance: Instance,
	owner: { user: User; team: Team },
	{ id, itemId, title }: { id: string; itemId: string; title: string },
	{ bytes, signers }: Contract,
): Promise<void> {
	const file = await instance.files.keep(bytes);
	const item = { ...newItem(instance, `${title}.pdf`, 1, file), id: itemId };
	const template = newEnvelope(instance, { ...owner, id, type: 'TEMPLATE', title, items: [item] });
	template.documentMeta.dateFormat = 'yyyy-MM-dd';
	template.recipients = signers.map(({ name, email }, index) =>
		newRecipient(instance, { email, name, role: 'SIGNER', signingOrder: index + 1 }),
	);
	const add = (recipientId: number, type: FieldType, place: Place, settings?: object): void => {
		const fieldMeta = settings && { type: type.toLowerCase(), ...settings };
		const typed = fieldAndMeta.parse({ type, fieldMeta });
		const owners = { recipientId, envelopeItemId: itemId };
		template.fields.push(newField(instance, { ...owners, ...typed, ...place }));
	};
	for (const [index, { fields = [], signature, date }] of signers.entries()) {
		const recipientId = template.recipients[index]?.id ?? 0;
		for (const field of fields) add(recipientId, ...field);
		add(recipientId, 'SIGNATURE', signature);
		add(recipientId, 'DATE', date);
	}
	instance.store.envelopes.set(id, template);
}

/** The contracts look the same after each reset, and to draw them takes longer than the rest of it. */
function drawnOnce(draw: () => Promise<Contract>): () => Promise<Contract> {
	let drawing: Promise<Contract> | undefined;
	return async () => await (drawing ??= draw());
}

const rentalAgreement = drawnOnce(async () => {
	const paper = await Paper.start('Rental agreement');
	paper.title('Rental agreement', 'for an unfurnished flat');
	paper.clause(
		'1. The flat',
		'The landlord lets to the tenant the flat at the address below, with its cellar room, for residential use only. The keys are handed over on the day the tenancy starts.',
	);
	const address = paper.blank('Address', 340);
	paper.clause(
		'2. Term and rent',
		'The tenancy starts on the date below and runs until either side ends it with three months of notice. The rent is due on the third working day of each month, in the way chosen here.',
	);
	const startDate = paper.blank('Start date');
	const rent = paper.blank('Monthly rent');
	const payment = paper.blank('Payment');
	paper.clause(
		'3. Deposit',
		'The tenant pays a deposit of two monthly rents before moving in. The landlord keeps it apart from his own money and pays it back, with interest, within six weeks of the end of the tenancy.',
	);
	paper.clause(
		'4. Running costs',
		'Heating, water and waste collection are included in the rent. The tenant has his own contracts for electricity and for his connection to the internet.',
	);
	paper.clause(
		'5. Subletting',
		'The tenant may sublet single rooms with the written consent of the landlord, who gives it unless the person proposed cannot reasonably be expected of him.',
	);
	paper.addPage();
	paper.clause(
		'6. Care of the flat',
		'The tenant treats the flat with care, airs and heats it properly, and reports damage without delay. Small repairs up to 100 a year are the tenant\u2019s, all others the landlord\u2019s.',
	);
	paper.clause(
		'7. Access',
		'The landlord may enter the flat after announcing it 48 hours ahead, and at once if there is danger.',
	);
	paper.clause(
		'8. Signatures',
		'Both sides have read this agreement and received a copy. Changes to it need the written form.',
	);
	const values = PAYMENT_OPTIONS.map((value) => ({ value }));
	const tenant: Signer = {
		name: 'Tenant',
		email: 'recipient.1@documenso.com',
		fields: [
			['TEXT', address, { label: 'Address', required: true }],
			['NUMBER', rent, { label: 'Rent', required: true }],
			['DATE', startDate, { label: 'Start date' }],
			['DROPDOWN', payment, { label: 'Payment', values, required: true }],
		],
		...paper.signature('tenant'),
	};
	const landlord = {
		name: 'Anna Landlord',
		email: 'landlord@example.com',
		...paper.signature('landlord'),
	};
	return { signers: [tenant, landlord], bytes: await paper.save() };
});

const mutualNda = drawnOnce(async () => {
	const paper = await Paper.start('Mutual NDA');
	paper.title('Mutual non-disclosure agreement', 'between Demo Team and the company below');
	const company = paper.blank('Company', 340);
	paper.clause(
		'1. Purpose',
		'Both sides will show each other documents and plans in order to decide whether they want to work together. This agreement protects what they learn on the way.',
	);
	paper.clause(
		'2. Confidential information',
		'Whatever one side marks as confidential, or would be taken as such by a careful reader, is kept secret by the other, used for the purpose above only, and shown only to people who need it.',
	);
	paper.clause(
		'3. Term',
		'The duty to keep secrets starts with the signature and lasts three years beyond the last exchange.',
	);
	const signer: Signer = {
		name: 'Signer',
		email: 'recipient.1@documenso.com',
		fields: [['TEXT', company, { label: 'Company', required: true }]],
		...paper.signature('for the company'),
	};
	return { signers: [signer], bytes: await paper.save() };
});

const employmentContract = drawnOnce(async () => {
	const paper = await Paper.start('Employment contract');
	paper.title('Employment contract', 'between Demo Team and the employee below');
	const position = paper.blank('Position', 340);
	const startDate = paper.blank('Start date');
	const salary = paper.blank('Monthly salary');
	paper.clause(
		'1. Work',
		'The employee works 38 hours a week, and chooses with the team on which days to work from home.',
	);
	paper.clause(
		'2. Holidays and notice',
		'The employee has 30 days of paid leave a year. Either side may end the contract with three months of notice, and with two weeks during the first six months.',
	);
	const employee: Signer = {
		name: 'Employee',
		email: 'recipient.1@documenso.com',
		fields: [
			['TEXT', position, { label: 'Position', required: true }],
			['DATE', startDate, { label: 'Start date' }],
			['NUMBER', salary, { label: 'Salary', required: true }],
		],
		...paper.signature('employee'),
	};
	const employer = {
		name: 'Petra People',
		email: 'people@example.com',
		...paper.signature('employer'),
	};
	return { signers: [employee, employer], bytes: await paper.save() };
});
