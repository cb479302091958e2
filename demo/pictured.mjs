// What the pictures show: people and rows.

/** Rows of a spreadsheet whose columns have other names than the template's. */
export const rows = [
	{
		applicant: 'Zoë Brontë',
		mail: 'zoe.bronte@example.com',
		flat: 'Flat 3, 12 Quay Street, Bristol',
		from: '2027-02-01',
		monthly: 1250,
		pays_by: 'Bank transfer',
	},
	{
		applicant: 'Ana María Núñez',
		mail: 'ana.nunez@example.com',
		flat: 'Calle Mayor 1, Sevilla',
		from: '2027-04-01',
		monthly: 760,
		pays_by: 'Direct debit',
	},
];

/** The column of the spreadsheet for each column of the template. */
export const inputs = {
	'Tenant email': 'mail',
	'Tenant name': 'applicant',
	Address: 'flat',
	'Start date': 'from',
	Rent: 'monthly',
	Payment: 'pays_by',
};

/** The answers in the form of the contract. */
export const newEmployee = {
	'Employee name': 'Emma Ek',
	'Employee email': 'emma.ek@example.com',
	Position: 'Software engineer',
	'Start date': '2027-02-01',
	Salary: '4200',
};

const tenant = {
	'Tenant email': 'zoe.bronte@example.com',
	'Tenant name': 'Zoë Brontë',
	Address: 'Flat 3, 12 Quay Street, Bristol',
	'Start date': '2027-02-01',
	Rent: 1250,
	Payment: 'Bank transfer',
};

/** Rows of which two cannot be used. */
export const mistaken = [
	{ ...tenant, 'External ID': 'RA-2027-001' },
	{ ...tenant, 'External ID': 'RA-2027-002', 'Tenant email': 'zoe.bronte at example.com' },
	{ ...tenant, 'External ID': 'RA-2027-003', 'Start date': 46054, Payment: 'Cash' },
];

/** Rows that no other picture has sent. */
const first = { 'External ID': 'RA-2027-007', ...tenant };
const second = {
	...first,
	'External ID': 'RA-2027-008',
	'Tenant email': 'tariq@example.com',
	'Tenant name': 'Tariq Aziz',
	Address: '1 Harbour Road, Bristol',
	Rent: 980,
};

const withMisspeltHeadings = ({ Rent, Address, ...others }) => ({
	...others,
	Rnt: Rent,
	Adress: Address,
});

/** A spreadsheet with two headings that are not those of the template. */
export const misspelt = [first, second].map(withMisspeltHeadings);

/** A row that is refused, and a good one. */
export const previewed = [{ ...first, Payment: 'Cash' }, second];

/** What a tenant changes when she signs. */
export const changedBySigner = { Payment: 'Card' };

/** What the sheet says of an agreement that was sent with another rent. */
export const corrected = { externalId: 'RA-2027-002', rent: '1020' };

/** An agreement that nobody has sent. */
export const unsent = {
	externalId: 'RA-2027-007',
	tenantName: 'Tariq Aziz',
	tenantEmail: 'tariq@example.com',
	address: '1 Harbour Road, Bristol',
	rent: '980',
	startDate: '2027-06-01',
	payment: 'Bank transfer',
};

/** The agreements of the spreadsheet with these IDs, and one that nobody has sent. */
export const compared = (sent) => [
	...['RA-2027-001', 'RA-2027-004'].map((id) => sent.find((row) => row['External ID'] === id)),
	second,
];
