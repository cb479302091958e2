import { startReceiver, type Receiver } from '../../../conformance/recordings/receiver';

let receiver: Receiver;

beforeEach(async () => void (receiver = await startReceiver()));
afterEach(async () => await receiver.close());

async function deliver(path: string): Promise<Response> {
	const body = JSON.stringify({ event: 'DOCUMENT_SENT', payload: {} });
	return await fetch(receiver.origin + path, { method: 'POST', body });
}

describe('the endpoint that a replay delivers to', () => {
	it('responds with the status in its address', async () => {
		expect((await deliver('/fail?status=500')).status).toBe(500);
		expect(receiver.take()).toMatchObject([{ url: '/fail?status=500' }]);
	});

	it('drops the connection where the service gave up waiting, instead of racing its timeout', async () => {
		await expect(deliver('/slow?ms=12000')).rejects.toThrow('fetch failed');
		expect(receiver.take()).toMatchObject([{ url: '/slow?ms=12000' }]);
	});
});
