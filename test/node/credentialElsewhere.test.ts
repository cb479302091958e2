import { DEMO_TOKEN } from '../../emulator';
import { useElsewhere } from '../support/elsewhere';
import { errorOf } from '../support/errors';
import { loadOptionsContext } from '../support/n8n';
import { credentialFor } from '../support/service';
import { useService } from '../support/suite';

const suite = useService();

const elsewhere = useElsewhere('localhost');

type Helper = (this: unknown, credential: string, options: object) => Promise<unknown>;

const follows = { followRedirect: true, followAllRedirects: true };
const ofOlder = { ...follows, resolveWithFullResponse: true, simple: false };
const ofNewer = { returnFullResponse: true, ignoreHttpStatusErrors: true };

describe.each([
	['as n8n’s HTTP Request node sends it', 'requestWithAuthentication', 'uri', ofOlder],
	['as other nodes send it', 'httpRequestWithAuthentication', 'url', ofNewer],
])('a request with the credential, %s,', (_, helper, address, options) => {
	async function send(to: string) {
		const context = loadOptionsContext(credentialFor(suite.service), {});
		const helpers = context.helpers as unknown as Record<string, Helper>;
		return await helpers[helper]?.call(context, 'documensoApi', { [address]: to, ...options });
	}

	test('reaches Documenso', async () => {
		expect(await send(`${suite.service.url}/api/v2/envelope`)).toMatchObject({ statusCode: 200 });
		expect(suite.service.calls[0]?.headers.authorization).toBe(DEMO_TOKEN);
	});

	test('sends nothing to another address, and says why', async () => {
		const { message } = await errorOf(async () => await send(elsewhere.url));
		expect(message).toBe(
			`The Documenso credential sends its API token only to ${suite.service.url}, the base URL. Change the URL of the request, or use another credential.`,
		);
		expect(message).not.toContain(DEMO_TOKEN);
		expect(elsewhere.arrived).toEqual([]);
	});

	test.each([301, 302, 303, 307, 308])('follows no redirect (%d)', async (status) => {
		suite.service.fail({ status, headers: { location: elsewhere.url }, body: '' });
		const answer = await send(`${suite.service.url}/api/v2/envelope`);
		expect(answer).toMatchObject({ statusCode: status, headers: { location: elsewhere.url } });
		expect(elsewhere.arrived).toEqual([]);
	});
});
