import { fileNameOf } from '../../nodes/shared/api/fileName';
import { stemOf } from '../../nodes/shared/envelope/fileNames';

test.each([
	['invoice\u202Efdp.exe', 'invoicefdp.exe'],
	['\u2066a\u2069\u200F\u200E\u061Cb', 'ab'],
	['a\r\nContent-Type: text/html\r\n\r\nb', 'aContent-Type: text/htmlb'],
	['a\0\u001B[31m\u007F\u0085\u2028\u2029b', 'a[31mb'],
	['half \uD83C a pair', 'half  a pair'],
])('a file’s name loses characters that show it as another: %j', (given, name) => {
	expect(fileNameOf(given)).toBe(name);
});

test.each([
	'Mietvertrag Müller.pdf',
	'עברית.pdf',
	'契約.pdf',
	'👩\u200D👩\u200D👧.pdf',
	'می\u200Cخواهم.pdf',
])('names in any script stay as they are: %s', (name) => {
	expect(fileNameOf(name)).toBe(name);
});

test.each([
	['../Lease\u202Efdp\n.pdf', '_Leasefdp'],
	['Lease.pdf\u200F', 'Lease'],
	['Lease.docx ', 'Lease'],
	['a:b*c?"d"<e>|f', 'a_b_c__d__e__f'],
	['con', '_con'],
	['Aux .tar', '_Aux .tar'],
	['com¹.lease', '_com¹.lease'],
	['Console', 'Console'],
	['Lease v1.2 …', 'Lease v1.2 …'],
	['Lease . ', 'Lease'],
	['.env', 'env'],
	['Mu\u0308ller', 'Müller'],
	['\u0000', 'document'],
	['👩'.repeat(40), '👩'.repeat(21)],
	[`a${'👩'.repeat(40)}`, `a${'👩'.repeat(21)}`],
])(
	'what is downloaded is named after the title, as every file system takes it: %j',
	(title, stem) => {
		expect(stemOf(title)).toBe(stem);
	},
);
