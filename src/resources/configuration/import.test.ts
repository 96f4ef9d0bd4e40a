import { describe, expect, test } from 'vitest';
import { sharedApi } from '../../../test/support/api.ts';

const IMPORT = '/api/v1/configuration/import';
const shared = sharedApi();

const CSV = 'Friendly Name,URL,Type,Interval\nWebsite,https://ann:a%20b@example.com,HTTP(s),300\n';

test('a file of another service becomes a document that can be planned, secrets and all [61.16]', async () => {
  const api = await shared();
  const body = { service: 'uptimerobot', file: 'monitors.csv', text: CSV };
  const { status, body: read } = await api.call(api.ed, 'POST', IMPORT, body);
  expect(status).toBe(200);
  expect(read).toMatchObject({
    document: {
      name: 'uptimerobot',
      monitors: [{ key: 'website', auth_password: { from: 'import', value: 'a b' } }],
    },
    report: [{ outcome: 'imported', item: { section: 'monitors', key: 'website' } }],
    secrets: 2,
  });
  const plan = await api.call(api.ed, 'POST', '/api/v1/configuration/plan', {
    document: read['document'],
  });
  expect([plan.status, plan.body]).toMatchObject([
    200,
    { changes: [{ action: 'create', key: 'website' }] },
  ]);
});

test('viewers may not read files of other services', async () => {
  const api = await shared();
  const body = { service: 'uptimerobot', file: 'monitors.csv', text: CSV };
  expect((await api.call(api.vera, 'POST', IMPORT, body)).status).toBe(403);
});

describe('refuses', () => {
  test.each<[string, object, string, string]>([
    ['no service', { file: 'a', text: 'b' }, 'service', 'service is required: give one of'],
    [
      'another service',
      { service: 'x', file: 'a', text: 'b' },
      'service',
      'service must be one of',
    ],
    ['no file', { service: 'uptimerobot', text: 'b' }, 'file', 'file is required'],
    ['no text', { service: 'uptimerobot', file: 'a' }, 'text', 'text is required'],
    [
      'a text that is none',
      { service: 'uptimerobot', file: 'a', text: [1] },
      'text',
      'text must be the text of a file.',
    ],
    [
      'a database',
      { service: 'uptime-kuma', file: 'kuma.db', text: 'SQLite format 3\0' },
      'text',
      'text is a database: read it by the command "tocsin import".',
    ],
  ])('%s', async (_what, body, field, message) => {
    const api = await shared();
    const { status, body: answer } = await api.call(api.ed, 'POST', IMPORT, body);
    expect(status).toBe(422);
    const errors = answer['errors'] as Record<string, string[]>;
    expect(Object.keys(errors)).toEqual([field]);
    expect(errors[field]![0]).toContain(message);
  });

  test('a file that can not be read, and says where', async () => {
    const api = await shared();
    const text = '{"checks": [\n  {"name": ]}';
    const body = { service: 'healthchecks', file: 'checks.json', text };
    const { status, body: answer } = await api.call(api.ed, 'POST', IMPORT, body);
    expect(status).toBe(422);
    const { text: [message] = [] } = answer['errors'] as Record<string, string[]>;
    expect(message).toMatch(/^text can't be read in line 2, column 12: checks\.json is no JSON/);
  });

  test('an export of several teams names the one that is meant', async () => {
    const api = await shared();
    const text = JSON.stringify({
      format: 'tocsin-export',
      version: 2,
      teams: ['one', 'two'].map((slug) => ({ slug, groups: [{ id: 1, name: slug }] })),
    });
    const body = { service: 'tocsin', file: 'export.json', text };
    const refused = await api.call(api.ed, 'POST', IMPORT, body);
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('one')]);
    const read = await api.call(api.ed, 'POST', IMPORT, { ...body, team: 'two' });
    expect(read.status, read.text).toBe(200);
  });

  test.each([
    ['JSON as deep as it is long', '['.repeat(1_000_000)],
    ['a prototype', '{"__proto__": {"checks": [{"name": "x"}]}}'],
    ['NUL and half a character', '\u0000\ud800'],
  ])('%s, without an end of the process', async (_what, text) => {
    const api = await shared();
    const body = { service: 'healthchecks', file: 'checks.json', text };
    expect((await api.call(api.ed, 'POST', IMPORT, body)).status).toBe(422);
  });
});
