// Loaded into n8n: answers for Google and Airtable as they do, with the tables of a test.
const { readFileSync } = require('node:fs');

const nock = require('nock');

const tables = () => JSON.parse(readFileSync(process.env.E2E_TABLES, 'utf8'));

nock('https://oauth2.googleapis.com').persist().post('/token').reply(200, {
	access_token: 'token',
	expires_in: 3599,
	token_type: 'Bearer',
});
nock('https://sheets.googleapis.com')
	.persist()
	.get('/v4/spreadsheets/spreadsheet')
	.query(true)
	.reply(200, { sheets: [{ properties: { sheetId: 0, title: 'Rows', index: 0 } }] })
	.get(/^\/v4\/spreadsheets\/spreadsheet\/values\//)
	.query(true)
	.reply(200, () => ({ range: 'Rows!A1:Z1000', majorDimension: 'ROWS', values: tables().google }));
nock('https://api.airtable.com')
	.persist()
	.get('/v0/app12345678901234/tbl12345678901234')
	.query(true)
	.reply(200, () => ({ records: tables().airtable }));
