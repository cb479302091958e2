import { fileNameOf } from '../../nodes/Documenso/api/fileName';
import { fileNameFor } from '../../nodes/Documenso/envelope/files';

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

test('a download is named after the title without them, and without folders', () => {
	expect(fileNameFor('../Lease\u202Efdp\n.pdf', 'signed')).toBe('.._Leasefdp_signed.pdf');
	expect(fileNameFor('Lease.pdf\u200F', 'original')).toBe('Lease.pdf');
});
