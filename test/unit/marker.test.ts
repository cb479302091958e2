import {
	MARKER_LENGTH,
	resumptionsIn,
	sealed,
	withMarker,
	withoutMarker,
	withoutMarkers,
} from '../../nodes/Documenso/waiting/marker';

const keys = { apiToken: 'api_token', instanceId: 'instance' };
const token = 'a1'.repeat(32);
const resumption = { executionId: '57', token };
const marker = sealed(resumption, keys);
const other = sealed({ executionId: '58', token: 'b2'.repeat(32) }, keys);

test.each(['', 'CRM-7', 'two words', 'n8n:57:mi9x2k3a:1234abcd:0:3'])(
	'an external ID survives its marker: "%s"',
	(externalId) => {
		const marked = withMarker(externalId, marker);
		expect(resumptionsIn(marked, keys)).toEqual([resumption]);
		expect(withoutMarker(marked, marker)).toBe(externalId);
		expect(withoutMarkers(marked)).toBe(externalId || null);
	},
);

test('several executions can wait for one document, and each takes only its own marker away', () => {
	const marked = withMarker(withMarker('CRM-7', marker), other);
	expect(resumptionsIn(marked, keys).map(({ executionId }) => executionId)).toEqual(['57', '58']);
	expect(withoutMarker(marked, marker)).toBe(`CRM-7 ${other}`);
	expect(withoutMarker(marked, other)).toBe(`CRM-7 ${marker}`);
	expect(withoutMarkers(marked)).toBe('CRM-7');
});

test('a second try of the node puts its marker in the place of the first', () => {
	const again = sealed(resumption, keys);
	const marked = withMarker(withMarker(withMarker('CRM-7', marker), other), again);
	expect(marked).toBe(`CRM-7 ${other} ${again}`);
	expect(withoutMarker(marked, again)).toBe(`CRM-7 ${other}`);
});

test('the token stands nowhere in a marker, and no two markers are the same', () => {
	expect(marker).not.toContain(token);
	expect(marker).not.toContain(Buffer.from(token, 'hex').toString('base64url'));
	expect(sealed(resumption, keys)).not.toBe(marker);
});

test('a marker is as long as the room that is left for it', () => {
	const long = sealed({ executionId: '1'.repeat(20), token }, keys);
	expect(withMarker('x', long)).toHaveLength(1 + MARKER_LENGTH);
});

test.each([
	['another API token', marker, { ...keys, apiToken: 'api_other' }],
	['another n8n', marker, { ...keys, instanceId: 'other' }],
	['another execution in its place', marker.replace(':57:', ':58:'), keys],
	['a changed letter', marker.slice(0, -2) + (marker.endsWith('AA') ? 'BB' : 'AA'), keys],
	['an execution that is a path', marker.replace(':57:', ':../57:'), keys],
	['no token', 'n8n-wait:', keys],
	['text before it without a blank', `x${marker}`, keys],
	['nothing', '', keys],
])('nothing is resumed with %s', (_, externalId, with_) => {
	expect(resumptionsIn(externalId, with_)).toEqual([]);
});

test('a megabyte of markers is read in a moment', () => {
	expect(resumptionsIn(` n8n-wait:${':'.repeat(1e6)}`, keys)).toEqual([]);
	expect(resumptionsIn(' n8n-wait:a:1:b'.repeat(1e5), keys)).toEqual([]);
});
