import { isSelected, readEvent } from '../../nodes/DocumensoTrigger/event';

const event = { event: 'DOCUMENT_SENT', payload: { id: 1, title: 'A' }, createdAt: 'now' };

test('an event passes with everything that came with it', () => {
	expect(readEvent(event)).toEqual(event);
});

test('an event that nobody knows yet is an event', () => {
	expect(readEvent({ ...event, event: 'DOCUMENT_ARCHIVED' })?.event).toBe('DOCUMENT_ARCHIVED');
});

test.each([
	['nothing', undefined],
	['null', null],
	['a list', [event]],
	['text', 'DOCUMENT_SENT'],
	['no event', { payload: { id: 1 } }],
	['an event that is not text', { event: 7, payload: { id: 1 } }],
	['an event that is not a name', { event: 'hello world', payload: { id: 1 } }],
	['no payload', { event: 'DOCUMENT_SENT' }],
	['a payload without an id', { event: 'DOCUMENT_SENT', payload: {} }],
	['a payload that is a list', { event: 'DOCUMENT_SENT', payload: [] }],
])('%s is no event', (_, body) => {
	expect(readEvent(body)).toBeUndefined();
});

test('an event is selected by its name, or by the star', () => {
	expect(isSelected(event, ['DOCUMENT_SENT'])).toBe(true);
	expect(isSelected(event, ['*'])).toBe(true);
	expect(isSelected(event, ['DOCUMENT_SIGNED'])).toBe(false);
	expect(isSelected(event, [])).toBe(false);
});
