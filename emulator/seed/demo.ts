import type { Envelope, Recipient, Team, User } from '../entities';
import { newEnvelope, newField, newItem, newRecipient } from '../envelopes/draft';
import type { Instance } from '../instance';
import { fieldAndMeta, type FieldMeta, type FieldType } from '../schemas/fields';
import { Paper, type Blank } from './paper';

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

export async function seedDemo(instance: Instance, user: User, team: Team): Promise<void> {
	const owner = { user, team };
	for (const template of [
		await rentalAgreement(instance, owner),
		await mutualNda(instance, owner),
		await employmentContract(instance, owner),
	]) {
		instance.store.envelopes.set(template.id, template);
	}
}

interface Owner {
	user: User;
	team: Team;
}

/** The contracts look the same after each reset, and to draw them takes longer than the rest of it. */
function drawnOnce<Drawing>(draw: () => Promise<Drawing>): () => Promise<Drawing> {
	let drawing: Promise<Drawing> | undefined;
	return async () => await (drawing ??= draw());
}

const rentalAgreementPaper = drawnOnce(async () => {
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
	const tenantPlace = paper.signature('tenant');
	const landlordPlace = paper.signature('landlord');
	const bytes = await paper.save();
	return { bytes, address, rent, startDate, payment, tenantPlace, landlordPlace };
});

async function rentalAgreement(instance: Instance, owner: Owner): Promise<Envelope> {
	const paper = await rentalAgreementPaper();
	const template = await newTemplate(instance, RENTAL_AGREEMENT, paper.bytes, owner);
	const tenant = addSigner(instance, template, 'recipient.1@documenso.com', 'Tenant', 1);
	const landlord = addSigner(instance, template, 'landlord@example.com', 'Anna Landlord', 2);
	const add = fieldAdder(instance, template);
	const payments = PAYMENT_OPTIONS.map((value) => ({ value }));
	add(tenant, 'TEXT', paper.address, { type: 'text', label: 'Address', required: true });
	add(tenant, 'NUMBER', paper.rent, { type: 'number', label: 'Rent', required: true });
	add(tenant, 'DATE', paper.startDate, { type: 'date', label: 'Start date' });
	add(tenant, 'DROPDOWN', paper.payment, {
		type: 'dropdown',
		label: 'Payment',
		values: payments,
		required: true,
	});
	add(tenant, 'SIGNATURE', paper.tenantPlace.signature);
	add(tenant, 'DATE', paper.tenantPlace.date);
	add(landlord, 'SIGNATURE', paper.landlordPlace.signature);
	add(landlord, 'DATE', paper.landlordPlace.date);
	return template;
}

const mutualNdaPaper = drawnOnce(async () => {
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
	const place = paper.signature('for the company');
	return { bytes: await paper.save(), company, place };
});

async function mutualNda(instance: Instance, owner: Owner): Promise<Envelope> {
	const paper = await mutualNdaPaper();
	const template = await newTemplate(instance, MUTUAL_NDA, paper.bytes, owner);
	const signer = addSigner(instance, template, 'recipient.1@documenso.com', 'Signer', 1);
	const add = fieldAdder(instance, template);
	add(signer, 'TEXT', paper.company, { type: 'text', label: 'Company', required: true });
	add(signer, 'SIGNATURE', paper.place.signature);
	add(signer, 'DATE', paper.place.date);
	return template;
}

const employmentContractPaper = drawnOnce(async () => {
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
	const employeePlace = paper.signature('employee');
	const employerPlace = paper.signature('employer');
	const bytes = await paper.save();
	return { bytes, position, startDate, salary, employeePlace, employerPlace };
});

async function employmentContract(instance: Instance, owner: Owner): Promise<Envelope> {
	const paper = await employmentContractPaper();
	const template = await newTemplate(instance, EMPLOYMENT_CONTRACT, paper.bytes, owner);
	const employee = addSigner(instance, template, 'recipient.1@documenso.com', 'Employee', 1);
	const employer = addSigner(instance, template, 'people@example.com', 'Petra People', 2);
	const add = fieldAdder(instance, template);
	add(employee, 'TEXT', paper.position, { type: 'text', label: 'Position', required: true });
	add(employee, 'DATE', paper.startDate, { type: 'date', label: 'Start date' });
	add(employee, 'NUMBER', paper.salary, { type: 'number', label: 'Salary', required: true });
	add(employee, 'SIGNATURE', paper.employeePlace.signature);
	add(employee, 'DATE', paper.employeePlace.date);
	add(employer, 'SIGNATURE', paper.employerPlace.signature);
	add(employer, 'DATE', paper.employerPlace.date);
	return template;
}

async function newTemplate(
	instance: Instance,
	{ id, itemId, title }: { id: string; itemId: string; title: string },
	bytes: Uint8Array,
	owner: Owner,
): Promise<Envelope> {
	const file = await instance.files.keep(bytes);
	const item = { ...newItem(instance, `${title}.pdf`, 1, file), id: itemId };
	const template = newEnvelope(instance, { ...owner, id, type: 'TEMPLATE', title, items: [item] });
	template.documentMeta.dateFormat = 'yyyy-MM-dd';
	return template;
}

function addSigner(
	instance: Instance,
	{ recipients }: Envelope,
	email: string,
	name: string,
	signingOrder: number,
): Recipient {
	const recipient = newRecipient(instance, { email, name, role: 'SIGNER', signingOrder });
	recipients.push(recipient);
	return recipient;
}

function fieldAdder(instance: Instance, template: Envelope) {
	const envelopeItemId = template.items[0]?.id ?? '';
	return (recipient: Recipient, type: FieldType, place: Blank, meta?: object): void => {
		const typed: { type: FieldType; fieldMeta: FieldMeta | null } = fieldAndMeta.parse({
			type,
			fieldMeta: meta,
		});
		const recipientId = recipient.id;
		template.fields.push(newField(instance, { recipientId, envelopeItemId, ...typed, ...place }));
	};
}
