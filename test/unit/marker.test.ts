import crypto from 'node:crypto';

import {
	MARKER_LENGTH,
	resumptionsIn,
	sealed,
	withMarker,
	withMarkersOf,
	withoutMarker,
	withoutMarkers,
} from '../../nodes/shared/envelope/marker';

const keys = { apiToken: 'api_token', instanceId: 'instance' };
const token = 'a1'.repeat(32);
const resumption = { executionId: '57', token };
const marker = sealed(resumption, keys);
const other = sealed({ executionId: '58', token: 'b2'.repeat(32) }, keys);

const bytesOf = (one: string) => Buffer.from(one.split(':').at(-1) ?? '', 'base64url');

test.each(['', 'CRM-7', 'two words', 'n8n:57:mi9x2k3a:1234abcd:0:3'])(
	'an external ID survives its marker: "%s"',
	(externalId) => {
		const marked = withMarker(externalId, marker);
		expect(resumptionsIn(marked, keys)).toEqual(new Map([[marker, resumption]]));
		expect(withoutMarker(marked, marker)).toBe(externalId);
		expect(withoutMarkers(marked)).toBe(externalId || null);
	},
);

test('several executions can wait for one document, and each takes only its own marker away', () => {
	const marked = withMarker(withMarker('CRM-7', marker), other);
	expect([...resumptionsIn(marked, keys).keys()]).toEqual([marker, other]);
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
	expect(bytesOf(marker).includes(Buffer.from(token, 'hex'))).toBe(false);
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
	['no token', 'n8n-wait:', keys],
	['text before it without a blank', `x${marker}`, keys],
	['nothing', '', keys],
])('nothing is resumed with %s', (_, externalId, with_) => {
	expect(resumptionsIn(externalId, with_)).toEqual(new Map());
});

test.each(['', '../57', '57/..', '57?', '57#', '%35', '57\n'])(
	'nor is an execution resumed whose ID is %j, whoever sealed it',
	(executionId) => {
		expect(resumptionsIn(sealed({ executionId, token }, keys), keys)).toEqual(new Map());
	},
);

test.each([1, 4, 8, 12, 15])('nothing is resumed with a tag of %i bytes', (length) => {
	const whole = sealed({ executionId: '57', token: '' }, keys);
	expect([...resumptionsIn(whole, keys).values()]).toEqual([{ executionId: '57', token: '' }]);
	// The tag is behind the 12 bytes of the IV, and an empty token has no more bytes.
	const cut = bytesOf(whole)
		.subarray(0, 12 + length)
		.toString('base64url');
	expect(resumptionsIn(whole.replace(/[^:]*$/, cut), keys)).toEqual(new Map());
});

test('a marker from before an update is read: HKDF-SHA256 and AES-256-GCM', () => {
	// Made with other software: Python's cryptography.
	const before =
		'n8n-wait:XowDqU:57:AAECAwQFBgcICQoLpeUeQhLdY3CeH7mAw1uTWKO-Dkm15UE4qKux0dNV5MzLLPy3rVmkpUdzM88veqzL';
	expect(resumptionsIn(before, keys)).toEqual(new Map([[before, resumption]]));
});

test('markers in more than Documenso allows are forged, and none is opened', () => {
	const fits = `${'x'.repeat(255 - 1 - marker.length)} ${marker}`;
	expect(resumptionsIn(fits, keys).size).toBe(1);
	expect(resumptionsIn(`x${fits}`, keys).size).toBe(0);
	expect(resumptionsIn(` n8n-wait:${':'.repeat(1e6)}`, keys).size).toBe(0);
	expect(resumptionsIn(` ${marker}`.repeat(1e4), keys).size).toBe(0);
});

test('the key is made once for all markers, and not for those of another n8n', () => {
	const derived = jest.spyOn(crypto, 'hkdfSync');
	const short = marker.slice(0, 'n8n-wait:XowDqU:'.length);
	expect(resumptionsIn(` ${short}1:A`.repeat(12), keys).size).toBe(0);
	expect(derived).toHaveBeenCalledTimes(1);
	expect(resumptionsIn(' n8n-wait:a:1:b'.repeat(17), keys).size).toBe(0);
	expect(derived).toHaveBeenCalledTimes(1);
});

test('another external ID keeps the markers of executions that wait', () => {
	const marked = withMarker(withMarker('CRM-7', marker), other);
	expect(withMarkersOf(marked, 'CRM-8')).toBe(`CRM-8 ${marker} ${other}`);
	expect(withMarkersOf(marked, null)).toBe(`${marker} ${other}`);
	expect(withMarkersOf('CRM-7', 'CRM-8')).toBe('CRM-8');
	expect(withMarkersOf(null, null)).toBeNull();
});
