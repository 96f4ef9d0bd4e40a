import { describe, expect, test } from 'vitest';
import { openApi, sentences, sharedApi, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { updateRows } from '../../../test/support/rows.ts';
import { createSecretBox, MASK } from '../../lib/secret-box.ts';
import type { HttpCheckRequest } from '../../monitor-types/http.ts';

const MONITORS = '/api/v1/monitors';
const HEADERS = { Authorization: 'Bearer hunter2', 'X-Key': 'key' };
const PLACEHOLDER =
  'is a placeholder, and nothing is stored that it could stand for: send the value itself';

const put = ({ call, alice }: TestApi, id: number, request_headers: object) =>
  call(alice, 'PUT', `${MONITORS}/${id}`, { request_headers });

describe('eight bullets as a value of request_headers', () => {
  const api = sharedApi();

  test.each([
    [{ Authorization: MASK, 'X-Key': MASK }, HEADERS],
    [{ 'X-Key': MASK }, { 'X-Key': 'key' }],
    [
      { 'x-key': MASK, 'X-New': 'b' },
      { 'x-key': 'key', 'X-New': 'b' },
    ],
    [
      { Authorization: 'other', 'X-Key': MASK },
      { Authorization: 'other', 'X-Key': 'key' },
    ],
  ])('keep what is stored: %j [6.29]', async (sent, stored) => {
    const house = await api();
    const { id } = await house.create({ request_headers: HEADERS });
    const { status, body } = await put(house, id, sent);
    expect([status, body['request_headers']]).toEqual([200, stored]);
    await house.call(house.alice, 'POST', `${MONITORS}/${id}/check`);
    const { headers } = house.checks.at(-1)!.request as HttpCheckRequest;
    expect(headers).toEqual(stored);
  });

  test('are refused where nothing is stored of that name [6.29]', async () => {
    const house = await api();
    const { id } = await house.create({ request_headers: HEADERS });
    const refused = await put(house, id, { 'X-Key': MASK, 'X-New': MASK, 'X-Bad': 'a\nb' });
    expect([refused.status, refused.body['errors']]).toEqual([
      422,
      sentences({
        'request_headers.X-Bad': 'must hold only Latin-1 characters, and no line breaks',
      }),
    ]);
    const masked = await put(house, id, { 'X-Key': MASK, 'X-New': MASK, 'X-More': MASK });
    expect([masked.status, masked.body['errors']]).toEqual([
      422,
      sentences({
        'request_headers.X-New': PLACEHOLDER,
        'request_headers.X-More': PLACEHOLDER,
      }),
    ]);
    const kept = await house.call(house.alice, 'GET', `${MONITORS}/${id}`);
    expect(kept.body['request_headers']).toEqual(HEADERS);
    expect((await put(house, (await house.create()).id, { A: MASK })).status).toBe(422);
  });

  test('are refused on create, alone and among several [6.29]', async () => {
    const { call, alice } = await api();
    const body = { url: 'https://example.com', check_interval: 1, request_headers: { A: MASK } };
    const errors = sentences({ 'request_headers.A': PLACEHOLDER });
    const alone = await call(alice, 'POST', MONITORS, body);
    expect([alone.status, alone.body['errors']]).toEqual([422, errors]);
    const several = await call(alice, 'POST', `${MONITORS}/bulk`, { monitors: [body] });
    expect(several.body['results']).toMatchObject([{ status: 422, errors }]);
  });

  test('count with the value that they stand for [7.25]', async () => {
    const house = await api();
    const value = 'x'.repeat(8_000);
    const stored = Object.fromEntries(['A', 'B', 'C', 'D'].map((name) => [name, value]));
    const { id } = await house.create({ request_headers: stored });
    const masked = Object.fromEntries(Object.keys(stored).map((name) => [name, MASK]));
    const refused = await put(house, id, { ...masked, E: 'x'.repeat(800) });
    expect([refused.status, refused.body['errors']]).toEqual([
      422,
      sentences({ request_headers: 'must have at most 32768 characters in all' }),
    ]);
    expect((await put(house, id, { ...masked, E: 'x' })).status).toBe(200);
  });
});

eachDatabase((_name, open) => {
  test('masked headers that no key opens are to be sent again [6.29]', async () => {
    const database = await open();
    const api = await openApi(database);
    const { id } = await api.create({ request_headers: HEADERS });
    const sealed = createSecretBox(['another key'])
      .of('monitor', 1)
      .seal(JSON.stringify(HEADERS), 'request_headers');
    await updateRows(database, 'monitor', { request_headers: sealed }, { id });
    const { status, body } = await put(api, id, { 'X-Key': MASK });
    expect([status, body['errors']]).toEqual([
      422,
      sentences({ 'request_headers.X-Key': PLACEHOLDER }),
    ]);
    expect((await put(api, id, HEADERS)).body['request_headers']).toEqual(HEADERS);
  });
});
