/**
 * Imported by a suite that waits a lot: for it, for the node and for the local Documenso that it starts, time passes ten
 * times as fast. Sockets keep real time, and with them the time-outs of requests.
 */
const SPEED = 10;

const { setTimeout: wait, Date: RealDate, performance: clock } = globalThis;
const startedAt = RealDate.now() - clock.now() * SPEED;
const now = () => Math.floor(startedAt + clock.now() * SPEED);

globalThis.setTimeout = new Proxy(wait, {
	apply: (target, _, [work, milliseconds = 0]: [() => void, number?]) =>
		target(work, milliseconds / SPEED),
});

globalThis.Date = new Proxy(RealDate, {
	construct: (target, values: unknown[], newTarget) =>
		Reflect.construct(target, values.length > 0 ? values : [now()], newTarget) as Date,
	get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
});

globalThis.performance = new Proxy(clock, {
	get: (target, name) =>
		name === 'now' ? () => clock.now() * SPEED : (Reflect.get(target, name) as unknown),
});
