import { describe, expect, test } from 'vitest';
import { openApi, sentences, sharedApi, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { giveToken } from '../../../test/support/people.ts';
import { createSecretBox } from '../../lib/secret-box.ts';
import { rowOf, updateRows } from '../../../test/support/rows.ts';
import type { HttpCheckRequest } from '../../monitor-types/http.ts';

const MONITORS = '/api/v1/monitors';
const MASK = '••••••••';
const BASIC = { auth_type: 'basic', auth_username: 'watcher', auth_password: 'hunter2' };
const NOT_SET = { auth_type: null, auth_username: null };

const TYPE_MISSING =
  'is required with auth_username and auth_password: one of basic, bearer, digest';
const needed = (type: string, hint = 'to check without credentials, send auth_type null') =>
  `is required with auth_type ${type}: ${hint}`;
const TOKEN_HERE = 'send the token here, without auth_username';
type Settings = Record<string, unknown>;
const PLACEHOLDER =
  'is a placeholder, and nothing is stored that it could stand for: send the value itself';
const LENGTH = 'must be text of 1 to 4096 characters';
const CHARACTERS = 'must not hold control characters or half a character';
const COLON = 'must not hold a colon with auth_type basic';

/** What the check of a monitor would send. */
async function authorization({ call, alice, checks }: TestApi, id: number): Promise<unknown> {
  const { status } = await call(alice, 'POST', `${MONITORS}/${id}/check`);
  expect(status).toBe(200);
  const { headers } = checks.at(-1)!.request as HttpCheckRequest;
  return headers['Authorization'] ?? null;
}

describe('a create', () => {
  const api = sharedApi();
  test.each([
    [BASIC, 'Basic d2F0Y2hlcjpodW50ZXIy'],
    [{ ...BASIC, auth_username: 'ü', auth_password: 'a:b' }, 'Basic w7w6YTpi'],
    [{ auth_type: 'bearer', auth_username: 'to:ken', auth_password: 'x' }, 'Bearer to:ken'],
    [{ auth_type: 'bearer', auth_username: null, auth_password: 'to:ken' }, 'Bearer to:ken'],
    [{ auth_type: 'digest', auth_username: 'u', auth_password: 'p' }, null],
    [{ ...BASIC, auth_username: 'x'.repeat(4096), auth_password: 'y'.repeat(4096) }, /^Basic /],
    [
      { ...BASIC, request_headers: { authorization: 'by hand', 'X-A': 'b' } },
      'Basic d2F0Y2hlcjpodW50ZXIy',
    ],
  ])('with %j sends %s [8.22, 16.12]', async (sent, header) => {
    const house = await api();
    const created = await house.create(sent);
    const { auth_password: _never, ...shown } = sent;
    expect(created).toMatchObject(shown);
    const seen = await authorization(house, created.id);
    if (header instanceof RegExp) expect(seen).toMatch(header);
    else expect(seen).toBe(header);
  });

  test.each([
    {},
    { auth_type: null, auth_username: null, auth_password: '' },
    // Null clears all three, whatever else is sent.
    { auth_type: null, auth_username: 'u', auth_password: 'p' },
    { auth_type: '', auth_username: 'u' },
  ])('with %j has none [16.13]', async (sent) => {
    const house = await api();
    const created = await house.create(sent);
    expect(created).toMatchObject(NOT_SET);
    expect(await authorization(house, created.id)).toBe(null);
  });

  test.each([
    [{ auth_type: 'basic' }, { auth_username: needed('basic'), auth_password: needed('basic') }],
    [{ ...BASIC, auth_password: null }, { auth_password: needed('basic') }],
    [{ ...BASIC, auth_username: '' }, { auth_username: needed('basic') }],
    [
      { auth_type: 'bearer' },
      {
        auth_username: needed('bearer', 'or send the token as auth_password, alone'),
        auth_password: needed('bearer', TOKEN_HERE),
      },
    ],
    [{ auth_type: 'bearer', auth_username: 'u' }, { auth_password: needed('bearer', TOKEN_HERE) }],
    [{ auth_type: 'digest', auth_username: 'u' }, { auth_password: needed('digest') }],
    [{ auth_username: 'u', auth_password: 'p' }, { auth_type: TYPE_MISSING }],
    [{ auth_username: 'u' }, { auth_type: TYPE_MISSING }],
    [{ auth_password: 'p', auth_username: null }, { auth_type: TYPE_MISSING }],
    [{ ...BASIC, auth_password: MASK }, { auth_password: PLACEHOLDER }],
    [{ ...BASIC, auth_username: MASK }, { auth_username: PLACEHOLDER }],
    [{ auth_type: null, auth_password: MASK }, { auth_password: PLACEHOLDER }],
    [{ ...BASIC, auth_username: 'a:b' }, { auth_username: COLON }],
    [
      { ...BASIC, auth_type: 'BASIC' },
      { auth_type: 'must be one of basic, bearer, digest (did you mean basic?)' },
    ],
    ...['oauth', 1, true, [], {}].map((auth_type) => [
      { ...BASIC, auth_type },
      { auth_type: 'must be one of basic, bearer, digest' },
    ]),
    ...(['auth_username', 'auth_password'] as const).flatMap((field) => [
      ...[1, true, [], {}, 'x'.repeat(4097)].map((value) => [
        { ...BASIC, [field]: value },
        { [field]: LENGTH },
      ]),
      ...['a\nb', 'a\0', '\u007f', '\ud800'].map((value) => [
        { ...BASIC, [field]: value },
        { [field]: CHARACTERS },
      ]),
    ]),
  ] as [object, Record<string, string>][])(
    'with %j is refused [8.22, 8.23, 8.27]',
    async (sent, errors) => {
      const { call, alice } = await api();
      const body = { url: 'https://example.com', check_interval: 1, ...sent };
      const answer = await call(alice, 'POST', MONITORS, body);
      expect([answer.status, answer.body['errors']]).toEqual([422, sentences(errors)]);
    },
  );
});

describe('a bearer token alone [8.23, 8.30, 16.12]', () => {
  const api = sharedApi();
  const ALONE = { auth_type: 'bearer', auth_password: 'token' };
  const BOTH = { ...ALONE, auth_username: 'token', auth_password: 'any' };
  test.each<[stored: Settings, sent: object, header: string]>([
    [ALONE, { friendly_name: 'x' }, 'Bearer token'],
    [ALONE, { auth_type: 'bearer', auth_username: null, auth_password: MASK }, 'Bearer token'],
    [ALONE, { auth_password: 'new' }, 'Bearer new'],
    [ALONE, { auth_username: 'name' }, 'Bearer name'],
    [BOTH, { auth_username: null, auth_password: 'new' }, 'Bearer new'],
    [BASIC, { ...ALONE, auth_username: null }, 'Bearer token'],
  ])('%j and then %j', async (stored, sent, header) => {
    const house = await api();
    const { id, auth_username: name } = await house.create(stored);
    expect(name).toBe('auth_username' in stored ? stored.auth_username : null);
    const put = await house.call(house.alice, 'PUT', `${MONITORS}/${id}`, sent);
    expect([put.status, put.body['auth_type']]).toEqual([200, 'bearer']);
    expect(put.text).not.toContain('new');
    expect(await authorization(house, id)).toBe(header);
  });

  const UNSET = { auth_username: needed('bearer', 'or send the token as auth_password, alone') };
  test.each<[stored: Settings, sent: object, errors: Record<string, string>]>([
    [BOTH, { auth_username: null }, UNSET],
    [BOTH, { auth_username: '', auth_password: MASK }, UNSET],
    [BASIC, { auth_type: 'bearer', auth_username: null }, UNSET],
    [ALONE, { auth_type: 'basic' }, { auth_username: needed('basic') }],
  ])('%j is not changed by %j', async (stored, sent, errors) => {
    const house = await api();
    const { id } = await house.create(stored);
    const put = await house.call(house.alice, 'PUT', `${MONITORS}/${id}`, sent);
    expect([put.status, put.body['errors']]).toEqual([422, sentences(errors)]);
  });
});

describe('an update of a monitor that signs in', () => {
  const api = sharedApi();
  const stored = 'Basic d2F0Y2hlcjpodW50ZXIy';
  test.each([
    [{ auth_password: MASK }, BASIC, stored],
    [{ ...BASIC, auth_password: MASK }, BASIC, stored],
    [{ auth_username: MASK, auth_password: MASK }, BASIC, stored],
    [
      { auth_username: 'other', auth_password: MASK },
      { auth_username: 'other' },
      'Basic b3RoZXI6aHVudGVyMg==',
    ],
    [{ auth_password: 'new' }, BASIC, 'Basic d2F0Y2hlcjpuZXc='],
    [{ auth_username: 'other' }, { auth_username: 'other' }, 'Basic b3RoZXI6aHVudGVyMg=='],
    [{ auth_type: 'bearer' }, { auth_type: 'bearer' }, 'Bearer watcher'],
    [{ friendly_name: 'x', tags: ['y'] }, { ...BASIC, friendly_name: 'x', tags: ['y'] }, stored],
    [{ auth_type: null }, NOT_SET, null],
    [{ auth_type: '' }, NOT_SET, null],
    [{ auth_type: null, auth_username: 'u', auth_password: 'p' }, NOT_SET, null],
    [{ auth_type: null, auth_username: null, auth_password: MASK }, NOT_SET, null],
  ])('by %j [8.26, 8.28, 8.29]', async (sent, shown, header) => {
    const house = await api();
    const { id } = await house.create(BASIC);
    const put = await house.call(house.alice, 'PUT', `${MONITORS}/${id}`, sent);
    const { auth_password: _never, ...visible } = { auth_password: null, ...shown };
    expect([put.status, put.body]).toMatchObject([200, visible]);
    expect(put.body).not.toHaveProperty('auth_password');
    expect(await authorization(house, id)).toBe(header);
  });

  test.each([
    [{ auth_username: null }, { auth_username: needed('basic') }],
    [{ auth_password: '' }, { auth_password: needed('basic') }],
    [{ auth_username: 'a:b' }, { auth_username: COLON }],
    [{ auth_type: 'x' }, { auth_type: 'must be one of basic, bearer, digest' }],
    [
      { auth_username: null, auth_password: null },
      { auth_username: needed('basic'), auth_password: needed('basic') },
    ],
  ])('by %j is refused [8.30]', async (sent, errors) => {
    const house = await api();
    const { id } = await house.create(BASIC);
    const { status, body } = await house.call(house.alice, 'PUT', `${MONITORS}/${id}`, sent);
    expect([status, body['errors']]).toEqual([422, sentences(errors)]);
    expect(await authorization(house, id)).toBe(stored);
  });

  test('the mask means nothing where nothing is stored [8.23, 8.27]', async () => {
    const { call, create, alice } = await api();
    const { id } = await create();
    const put = (body: object) => call(alice, 'PUT', `${MONITORS}/${id}`, body);
    const masked = await put({ ...BASIC, auth_password: MASK });
    expect([masked.status, masked.body['errors']]).toEqual([
      422,
      sentences({ auth_password: PLACEHOLDER }),
    ]);
    const untyped = await put({ auth_password: 'p' });
    expect(untyped.body['errors']).toEqual(sentences({ auth_type: TYPE_MISSING }));
    const typed = await put({ auth_type: 'digest' });
    const both = { auth_username: needed('digest'), auth_password: needed('digest') };
    expect(typed.body['errors']).toEqual(sentences(both));
  });

  test('a bearer token with a colon can not become a basic user name', async () => {
    const { call, create, alice } = await api();
    const { id } = await create({ auth_type: 'bearer', auth_username: 'a:b', auth_password: 'p' });
    const { body } = await call(alice, 'PUT', `${MONITORS}/${id}`, { auth_type: 'basic' });
    const auth_type = "can't be basic while the auth_username holds a colon";
    expect(body['errors']).toEqual(sentences({ auth_type }));
  });
});

eachDatabase((_name, open) => {
  describe('credentials', () => {
    test('are sealed in the database, and a new password is a new revision [35.9]', async () => {
      const api = await openApi(await open());
      const { id } = await api.create(BASIC);
      const row = async () => rowOf(api.database, 'monitor', { id });
      const first = await row();
      expect(JSON.stringify(first)).not.toMatch(/watcher|hunter2/);
      const secrets = createSecretBox(['a key for tests']).of('monitor', first.team_id);
      expect(secrets.open(first.auth_username!, 'auth_username')).toBe('watcher');
      expect(secrets.open(first.auth_password!, 'auth_password')).toBe('hunter2');
      const put = (body: object) => api.call(api.alice, 'PUT', `${MONITORS}/${id}`, body);
      await put({ ...BASIC, auth_password: MASK });
      expect(await row()).toEqual(first);
      await put({ auth_password: 'other' });
      expect(await row()).toMatchObject({ revision: 2, auth_username: first.auth_username });
      await put({ auth_type: null });
      expect(await row()).toMatchObject({
        revision: 3,
        auth_type: null,
        auth_username: null,
        auth_password: null,
      });
    });

    test('the user name is for those who may update, the password for nobody [8.24, 8.25]', async () => {
      const api = await openApi(await open());
      const { id } = await api.create(BASIC);
      const reader = await giveToken(api.database, api.alice, {
        permissions: ['read', 'create', 'delete'],
        now: api.clock.now(),
      });
      for (const [who, auth_username] of [
        [api.alice, 'watcher'],
        [api.ed, 'watcher'],
        [api.vera, null],
        [reader, null],
      ] as const) {
        for (const path of [`${MONITORS}/${id}`, MONITORS]) {
          const { body, text } = await api.call(who, 'GET', path);
          const seen = (body['data'] as object[] | undefined)?.[0] ?? body;
          expect(seen).toMatchObject({ auth_type: 'basic', auth_username });
          expect(text).not.toMatch(/auth_password|hunter2/);
        }
      }
      const own = await api.call(reader, 'POST', MONITORS, {
        url: 'https://example.com',
        check_interval: 1,
        ...BASIC,
      });
      expect([own.status, own.body['auth_username']]).toEqual([201, null]);
      for (const action of ['check', 'pause']) {
        const { text } = await api.call(api.alice, 'POST', `${MONITORS}/${id}/${action}`);
        expect(text).not.toMatch(/auth_password|hunter2/);
      }
    });

    test('that no key opens any more are kept, and can be replaced', async () => {
      const database = await open();
      const api = await openApi(database);
      const { id } = await api.create(BASIC);
      const sealed = createSecretBox(['another key'])
        .of('monitor', 1)
        .seal('lost', 'auth_password');
      await updateRows(
        database,
        'monitor',
        { auth_username: sealed, auth_password: sealed },
        { id },
      );
      const put = (body: object) => api.call(api.alice, 'PUT', `${MONITORS}/${id}`, body);
      const kept = await put({ friendly_name: 'x', auth_password: MASK });
      expect([kept.status, kept.body['auth_username']]).toEqual([200, null]);
      const row = database.read.selectFrom('monitor').select(['auth_username', 'auth_password']);
      expect(await row.where('id', '=', id).executeTakeFirst()).toEqual({
        auth_username: sealed,
        auth_password: sealed,
      });
      expect((await put(BASIC)).body).toMatchObject({ auth_username: 'watcher' });
      expect(await authorization(api, id)).toBe('Basic d2F0Y2hlcjpodW50ZXIy');
    });
  });
});
