import { describe, expect, test } from 'vitest';
import { openApi, sentences, sharedApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import type { HttpCheckRequest } from '../../monitor-types/http.ts';
import { LEAST } from '../../../test/support/monitor-bodies.ts';

const MONITORS = '/api/v1/monitors';
const KEYWORDS = { keywords: [{ phrase: 'Welcome', mode: 'must_contain' }] };
const OTHER_KEYWORDS = { keywords: [{ phrase: 'Error', mode: 'must_not_contain' }] };
const ASSERTIONS = { assertions: [{ path: 'status', operator: 'equals', value: 'ok' }] };

const keyword = (more: object) => ({ phrase: 'a', mode: 'must_contain', ...more });
const assertion = (more: object) => ({ path: 'a', operator: 'equals', value: 1, ...more });
const KEYWORD_MISSING = 'is required by the check type keyword: send it, or leave keyword out';
const JSON_MISSING = 'is required by the check type json: send it, or leave json out';
const NOT_BESIDE_JSON = "can't be used beside json_assertion_settings: send null for one of them";
const A_LIST_OF_ASSERTIONS = 'must be a list of 1 to 10 assertions';
const KEYWORD_AND_DNS = { check_types: ['keyword', 'dns'] };
const NOT_BESIDE_KEYWORD = "can't be used beside keyword_settings: send null for one of them";

const types = (...check_types: unknown[]) => ({ check_types });

type Row = [settings: unknown, faults: Record<string, string>];
const rows = (settings: unknown[], field: string, fault: string): Row[] =>
  settings.map((one) => [one, { [field]: fault }]);

describe('check types and the settings of content checks', () => {
  const api = sharedApi();

  test.each([
    [{}, { check_types: [], keyword_settings: null, json_assertion_settings: null }],
    [{ check_types: null }, { check_types: [] }],
    [{ check_types: '' }, { check_types: [] }],
    [{ check_types: ['domain', 'ssl', 'dns'] }, { check_types: ['domain', 'ssl', 'dns'] }],
    [{ keyword_settings: KEYWORDS }, { check_types: ['keyword'], keyword_settings: KEYWORDS }],
    [
      { json_assertion_settings: ASSERTIONS },
      { check_types: ['json'], json_assertion_settings: ASSERTIONS },
    ],
    // Content turns its check on, whatever check_types says.
    [{ check_types: ['ssl'], keyword_settings: KEYWORDS }, { check_types: ['ssl', 'keyword'] }],
    [{ check_types: [], json_assertion_settings: ASSERTIONS }, { check_types: ['json'] }],
    [{ check_types: null, keyword_settings: KEYWORDS }, { check_types: ['keyword'] }],
    [{ check_types: ['keyword', 'dns'], keyword_settings: KEYWORDS }, KEYWORD_AND_DNS],
    // Without content they turn nothing on; empty objects come back as they were sent.
    ...[{}, { keywords: [] }, { keywords: [], search_target: 'html' }].map((keyword_settings) => [
      { keyword_settings, json_assertion_settings: ASSERTIONS },
      { check_types: ['json'], keyword_settings },
    ]),
    ...[{}, { assertions: [] }].map((json_assertion_settings) => [
      { json_assertion_settings, keyword_settings: KEYWORDS },
      { check_types: ['keyword'], json_assertion_settings },
    ]),
    ...[null, '', []].flatMap((none) => [
      [
        { keyword_settings: none, json_assertion_settings: ASSERTIONS },
        { check_types: ['json'], keyword_settings: null },
      ],
      [
        { json_assertion_settings: none, keyword_settings: KEYWORDS },
        { check_types: ['keyword'], json_assertion_settings: null },
      ],
    ]),
  ] as [sent: object, shown: object][])(
    'a create with %j shows %j [1.20, 7.11, 7.13, 8.13, 8.14]',
    async (sent, shown) => {
      const { create } = await api();
      const { check_types, keyword_settings, json_assertion_settings } = await create(
        sent as Record<string, unknown>,
      );
      const made = { check_types, keyword_settings, json_assertion_settings };
      expect(made).toEqual({ ...made, ...shown });
    },
  );

  const BOTH = { keyword_settings: KEYWORDS, json_assertion_settings: ASSERTIONS };
  const NOT_BOTH = {
    keyword_settings: NOT_BESIDE_JSON,
    json_assertion_settings: NOT_BESIDE_KEYWORD,
  };
  const NOT_BOTH_NAMED = 'must not name both keyword and json: a monitor has one of them';
  const A_LIST = 'must be a list of sub-checks, any of ssl, dns, domain, keyword, json';
  const ONE_OF = 'must be one of ssl, dns, domain, keyword, json';
  test.each([
    [types('keyword'), { keyword_settings: KEYWORD_MISSING }],
    [{ ...types('json'), json_assertion_settings: {} }, { json_assertion_settings: JSON_MISSING }],
    [
      types('keyword', 'json'),
      {
        keyword_settings: KEYWORD_MISSING,
        json_assertion_settings: JSON_MISSING,
        check_types: NOT_BOTH_NAMED,
      },
    ],
    [
      { ...types('keyword', 'json'), keyword_settings: KEYWORDS },
      { json_assertion_settings: JSON_MISSING, keyword_settings: NOT_BESIDE_JSON },
    ],
    [BOTH, NOT_BOTH],
    [
      { ...BOTH, json_assertion_settings: { assertions: 1 } },
      { 'json_assertion_settings.assertions': A_LIST_OF_ASSERTIONS, ...NOT_BOTH },
    ],
    [{ check_types: 'ssl' }, { check_types: A_LIST }],
    [{ check_types: {} }, { check_types: A_LIST }],
    [types('ssl', 'SSL'), { 'check_types.1': `${ONE_OF} (did you mean ssl?)` }],
    [types(null), { 'check_types.0': ONE_OF }],
    [types('uptime'), { 'check_types.0': ONE_OF }],
    [types('ssl', 'ssl'), { check_types: 'must not name a sub-check twice' }],
    [
      { ...LEAST.port, ...types('ssl', 'keyword', 'json') },
      { check_types: 'must have at most 2 sub-checks, any of dns, domain' },
    ],
    ...['ssl', 'keyword', 'json'].flatMap((name) =>
      [LEAST.ping, LEAST.port].map((least) => [
        { ...least, ...types('dns', name) },
        { 'check_types.1': 'must be one of dns, domain' },
      ]),
    ),
  ] as [object, Record<string, string>][])(
    'a create with %j is refused [7.14, 8.11, 8.12, 8.15, 8.16]',
    async (sent, errors) => {
      const { call, alice } = await api();
      const { status, body } = await call(alice, 'POST', MONITORS, { ...LEAST.http, ...sent });
      expect([status, body['errors']]).toEqual([422, sentences(errors)]);
    },
  );

  const NO_KEYWORDS = { keyword_settings: null, check_types: [] };
  test.each([
    [{ keyword_settings: null }, NO_KEYWORDS],
    [{ keyword_settings: {} }, { keyword_settings: {}, check_types: [] }],
    [
      { keyword_settings: { keywords: [] } },
      { ...NO_KEYWORDS, keyword_settings: { keywords: [] } },
    ],
    [{ keyword_settings: [] }, NO_KEYWORDS],
    [{ keyword_settings: '' }, NO_KEYWORDS],
    [
      { ...NO_KEYWORDS, check_types: ['ssl'] },
      { ...NO_KEYWORDS, check_types: ['ssl'] },
    ],
    [{ check_types: ['ssl'] }, { check_types: ['ssl'], keyword_settings: KEYWORDS }],
    [{ check_types: [] }, { check_types: [], keyword_settings: KEYWORDS }],
    [{ check_types: null }, { check_types: [], keyword_settings: KEYWORDS }],
    [
      { keyword_settings: OTHER_KEYWORDS },
      { check_types: ['keyword'], keyword_settings: OTHER_KEYWORDS },
    ],
    [{ json_assertion_settings: null }, { check_types: ['keyword'], keyword_settings: KEYWORDS }],
    [
      { keyword_settings: null, json_assertion_settings: ASSERTIONS },
      { check_types: ['json'], keyword_settings: null, json_assertion_settings: ASSERTIONS },
    ],
    [
      { check_types: ['json'], json_assertion_settings: ASSERTIONS },
      { check_types: ['json'], keyword_settings: KEYWORDS, json_assertion_settings: ASSERTIONS },
    ],
    [{ friendly_name: 'other' }, { check_types: ['keyword'], keyword_settings: KEYWORDS }],
  ])('an update of a keyword monitor by %j shows %j [8.17, 8.18, 8.19]', async (sent, shown) => {
    const { call, create, alice } = await api();
    const { id } = await create({ keyword_settings: KEYWORDS });
    const { status, body } = await call(alice, 'PUT', `${MONITORS}/${id}`, sent);
    expect([status, body]).toMatchObject([200, shown]);
  });

  test.each<[check: string, field: string, settings: object]>([
    ['keyword', 'keyword_settings', KEYWORDS],
    ['json', 'json_assertion_settings', ASSERTIONS],
  ])(
    '%s goes on and off on an update, with %s and without [8.13, 8.15, 8.16, 8.17, 8.18]',
    async (check, field, settings) => {
      const { call, create, alice } = await api();
      const { id } = await create({ check_types: ['dns'] });
      const put = (body: object) => call(alice, 'PUT', `${MONITORS}/${id}`, body);
      const on = { check_types: ['dns', check], [field]: settings };
      const off = { check_types: ['dns'], [field]: settings };
      expect((await put({ check_types: [check] })).status).toBe(422);
      expect((await put({ [field]: settings })).body).toMatchObject(on);
      expect((await put({ check_types: ['dns'] })).body).toMatchObject(off);
      expect((await put({ url: 'https://example.org' })).body).toMatchObject(off);
      expect((await put({ check_types: ['dns', check] })).body).toMatchObject(on);
      expect((await put({ check_types: [check], [field]: null })).status).toBe(422);
      expect((await put({ check_types: null })).body).toMatchObject({ ...off, check_types: [] });
      expect((await put({ [field]: settings })).body).toMatchObject({ check_types: [check] });
      expect((await put({ check_types: ['dns', check] })).body).toMatchObject(on);
      expect((await put({ [field]: null })).body).toMatchObject({ ...off, [field]: null });
    },
  );

  test.each([
    [{ json_assertion_settings: ASSERTIONS }, { json_assertion_settings: NOT_BESIDE_KEYWORD }],
    [{ check_types: ['keyword'], keyword_settings: null }, { keyword_settings: KEYWORD_MISSING }],
    [{ check_types: ['keyword'], keyword_settings: {} }, { keyword_settings: KEYWORD_MISSING }],
    [{ check_types: ['json'] }, { json_assertion_settings: JSON_MISSING }],
    [{ ...BOTH, keyword_settings: OTHER_KEYWORDS }, NOT_BOTH],
  ])('an update of a keyword monitor by %j is refused [8.11, 8.21]', async (sent, errors) => {
    const { call, create, alice } = await api();
    const created = await create({ keyword_settings: KEYWORDS });
    const { status, body } = await call(alice, 'PUT', `${MONITORS}/${created.id}`, sent);
    expect([status, body['errors']]).toEqual([422, sentences(errors)]);
    expect((await call(alice, 'GET', `${MONITORS}/${created.id}`)).body).toMatchObject(created);
  });

  test('both kinds stored and both asked for by check_types alone: refused there [8.12]', async () => {
    const { call, create, alice } = await api();
    const { id } = await create({ keyword_settings: KEYWORDS });
    const put = (body: object) => call(alice, 'PUT', `${MONITORS}/${id}`, body);
    await put({ check_types: ['json'], json_assertion_settings: ASSERTIONS });
    const { status, body } = await put({ check_types: ['json', 'keyword'] });
    expect([status, body['errors']]).toEqual([422, sentences({ check_types: NOT_BOTH_NAMED })]);
  });
});

describe('what is wrong inside of settings', () => {
  const api = sharedApi();
  const TEXT = 'must be text of 1 to 500 characters';
  const SETTINGS =
    'must be an object such as {"keywords": [{"phrase": "Welcome", "mode": "must_contain"}]}';
  const ENTRY = 'must be an object such as {"phrase": "Welcome", "mode": "must_contain"}';
  const ASSERTION =
    'must be an object such as {"path": "status", "operator": "equals", "value": "ok"}';
  const VALUED = 'equals not_equals contains not_contains gt gte lt lte regex not_regex'.split(' ');
  const OPERATORS = `must be one of ${VALUED.toSpliced(4, 0, 'exists', 'not_exists').join(', ')}`;
  const NO_OPERATOR = OPERATORS.replace('must be', 'is required: give');
  const SCALAR = 'must be text, a number, true, false or null';
  const BOOLEAN = 'must be true or false';
  const UNREADABLE = "can't be read from character";
  const PATTERN = 'must be a regular expression of at most 1000 characters';

  /** Settings whose second keyword has one of these values. */
  const keywords = (name: string, ...values: unknown[]) =>
    values.map((value) => ({ keywords: [keyword({}), keyword({ [name]: value })] }));
  const LISTS = [{ search_target: 'html' }, { keywords: null }, { keywords: '' }, { keywords: {} }];
  const MODE = 'must be one of must_contain, must_not_contain';
  const NO_MODE = MODE.replace('must be', 'is required: give');
  const NOT_STORABLE = 'must not hold a NUL character or half a character';
  const targets = ['', null, 1, 'HTML', 'body', []].map((one) => ({
    ...KEYWORDS,
    search_target: one,
  }));
  const TARGET = 'must be one of html, text';
  const UNKNOWN_SETTING = 'is not a known setting: use keywords, search_target, or leave it out';

  const keywordRows: Row[] = [
    ...rows(['x', 1, true, ['x']], '', SETTINGS),
    ...rows(LISTS, '.keywords', 'must be a list of 1 to 10 keywords'),
    [{ keywords: Array(11).fill(keyword({})) }, { '.keywords': 'must have at most 10 keywords' }],
    [{ keywords: [null] }, { '.keywords.0': ENTRY }],
    [{ keywords: [keyword({}), 'x'] }, { '.keywords.1': ENTRY }],
    [{ keywords: [{}] }, { '.keywords.0.phrase': TEXT, '.keywords.0.mode': NO_MODE }],
    ...rows(
      keywords('phrase', '', null, 1, true, ['a'], 'x'.repeat(501)),
      '.keywords.1.phrase',
      TEXT,
    ),
    ...rows(keywords('phrase', 'a\0'), '.keywords.1.phrase', NOT_STORABLE),
    ...rows(keywords('mode', '', null, 1, 'MUST_CONTAIN', 'contains'), '.keywords.1.mode', MODE),
    ...rows(keywords('mode', undefined), '.keywords.1.mode', NO_MODE),
    ...rows(
      keywords('case_sensitive', '', null, 1, 'true', []),
      '.keywords.1.case_sensitive',
      BOOLEAN,
    ),
    ...rows(targets, '.search_target', TARGET),
    [{ ...KEYWORDS, more: 'x'.repeat(16_384) }, { '': 'must have at most 16 KiB as JSON' }],
    [
      { ...KEYWORDS, target: 'html', more: null },
      { '.target': UNKNOWN_SETTING, '.more': UNKNOWN_SETTING },
    ],
    [{ more: 1 }, { '.keywords': 'must be a list of 1 to 10 keywords', '.more': UNKNOWN_SETTING }],
    [{ keywords: [], search_target: 'x' }, { '.search_target': TARGET }],
    [
      { keywords: [keyword({}), keyword({ note: '' })] },
      {
        '.keywords.1.note':
          'is not a known setting: use phrase, mode, case_sensitive, or leave it out',
      },
    ],
    [
      { keywords: [keyword({ phrase: '' })], search_target: 'x' },
      { '.keywords.0.phrase': TEXT, '.search_target': TARGET },
    ],
  ];

  /** Settings whose second assertion differs in each of these ways. */
  const assertions = (...each: object[]) =>
    each.map((one) => ({ assertions: [assertion({}), assertion(one)] }));
  const paths = (...each: unknown[]) => assertions(...each.map((path) => ({ path })));
  const operators = (...each: unknown[]) => assertions(...each.map((operator) => ({ operator })));
  const values = (operator: string, ...each: unknown[]) =>
    assertions(...each.map((value) => ({ operator, value })));
  const ALL = `must be an object such as {"assertions": [{"path": "status", "operator": "equals", "value": "ok"}]}`;
  const NUMBER = 'must be a number, or text that is one, with the operator';
  const NO_NUMBERS = ['', null, 'x', true, '1,5', '0x10', ' 1', 'NaN', 'Infinity', '1e'];
  const RE2 = 'is no regular expression in RE2 syntax:';
  const REPEATS = 'must have fewer repeats: written out, it must have at most 2000 steps';
  const REPEATED = ['a{0,1000}'.repeat(3), '(ab{40}){50}', '((a{10}){10}){20}'];
  const RANGES = 'must have at most 4 ranges beyond ASCII where it ignores case';
  const RANGED = ['[Ā-￿]', String.raw`[\x{100}-\x{ffff}]`].map((one) => `(?si)${one.repeat(5)}`);
  const CLASSES = [`(?i)${'\\pL'.repeat(21)}`, `[${'\\P{Greek}'.repeat(21)}]`];
  const COMPLEX = Array.from({ length: 10 }, (_, index) => `${index}{1000}`);
  const VALUE = '.assertions.1.value';

  const jsonRows: Row[] = [
    ...rows(['x', 1, true, ['x']], '', ALL),
    ...rows([{ assertions: null }], '.assertions', A_LIST_OF_ASSERTIONS),
    [
      { a: 1 },
      {
        '.assertions': A_LIST_OF_ASSERTIONS,
        '.a': 'is not a known setting: use assertions, or leave it out',
      },
    ],
    [
      { assertions: [assertion({ note: 1 })] },
      {
        '.assertions.0.note': 'is not a known setting: use path, operator, value, or leave it out',
      },
    ],
    [{ ...ASSERTIONS, more: 'x'.repeat(16_384) }, { '': 'must have at most 16 KiB as JSON' }],
    ...rows(
      [{ assertions: Array(11).fill(assertion({})) }],
      '.assertions',
      'must have at most 10 assertions',
    ),
    [{ assertions: [1] }, { '.assertions.0': ASSERTION }],
    [{ assertions: [{}] }, { '.assertions.0.path': TEXT, '.assertions.0.operator': NO_OPERATOR }],
    ...rows(paths('', null, 1, ['a'], 'x'.repeat(501)), '.assertions.1.path', TEXT),
    ...rows(paths('a..b', '.a', 'a[', '["a', '$..a', 'a[*]'), '.assertions.1.path', UNREADABLE),
    ...rows(operators('', null, 1, '==', 'EQUALS'), '.assertions.1.operator', OPERATORS),
    ...rows(values('equals', [], {}, [1]), VALUE, SCALAR),
    ...VALUED.flatMap((operator) =>
      rows(values(operator, undefined), VALUE, `is required with the operator ${operator}`),
    ),
    ...['gt', 'gte', 'lt', 'lte'].flatMap((operator) =>
      rows(values(operator, ...NO_NUMBERS), VALUE, `${NUMBER} ${operator}`),
    ),
    ...['regex', 'not_regex'].flatMap((operator) =>
      rows(values(operator, 1, null, true, 'x'.repeat(1001)), VALUE, PATTERN),
    ),
    ...rows(values('regex', 'a('), VALUE, `${RE2} missing closing ): \`a(\``),
    ...rows(values('regex', '(?=a)'), VALUE, `${RE2} invalid or unsupported Perl syntax: \`(?=\``),
    ...rows(values('regex', '[z-a]'), VALUE, `${RE2} invalid character class range: \`z-a\``),
    ...rows(values('regex', '(a)\\1'), VALUE, `${RE2} invalid escape sequence: \`\\1\``),
    ...rows(values('regex', 'a**'), VALUE, `${RE2} invalid nested repetition operator: \`**\``),
    ...rows(values('regex', 'a{1001}'), VALUE, `${RE2} invalid repeat count: \`{1001}\``),
    ...rows(values('regex', ...REPEATED), VALUE, REPEATS),
    ...rows(values('regex', ...RANGED), VALUE, RANGES),
    ...rows(
      values('regex', ...CLASSES),
      VALUE,
      'must have at most 20 Unicode classes such as \\pL',
    ),
    [
      { assertions: COMPLEX.map((value) => ({ path: 'a', operator: 'regex', value })) },
      { '.assertions': 'have patterns that are too complex together: use fewer or simpler ones' },
    ],
    [
      { assertions: [{ path: '', operator: 'not_regex', value: '(' }] },
      { '.assertions.0.path': TEXT, '.assertions.0.value': `${RE2} missing closing ): \`(\`` },
    ],
  ];

  test.each([
    ...keywordRows.map(([settings, faults]) => ['keyword_settings', settings, faults] as const),
    ...jsonRows.map(([settings, faults]) => ['json_assertion_settings', settings, faults] as const),
  ])(
    '%s %j [1.20, 2.9, 8.1, 8.2, 8.3, 8.4, 8.5, 8.6, 8.7, 8.8, 8.9, 8.10, 8.20]',
    async (field, settings, faults) => {
      const { call, create, alice } = await api();
      const { id } = await create();
      const answers = [
        await call(alice, 'POST', MONITORS, { ...LEAST.http, [field]: settings }),
        await call(alice, 'PUT', `${MONITORS}/${id}`, { [field]: settings }),
      ];
      for (const { status, body } of answers) {
        expect(status).toBe(422);
        const errors = body['errors'] as Record<string, string[]>;
        const wanted = Object.entries(faults).map(([path, predicate]) => [
          field + path,
          [expect.stringContaining(`${field}${path} ${predicate}`)],
        ]);
        expect(errors).toEqual(Object.fromEntries(wanted));
      }
    },
  );

  test.each([
    {
      keywords: [keyword({ phrase: '🚨'.repeat(500), case_sensitive: true })],
      search_target: 'text',
    },
    { keywords: Array(10).fill(keyword({ mode: 'must_not_contain' })) },
    { search_target: 'html', keywords: [{ case_sensitive: false, ...keyword({}) }] },
    { keywords: [keyword({ phrase: '<b>ü\t🚨\\"</b>' })] },
  ])(
    'keyword settings come back as they were sent: %j [1.20, 8.1, 8.2, 8.3, 8.4]',
    async (keyword_settings) => {
      const { call, create, alice } = await api();
      const created = await create({ keyword_settings });
      expect(JSON.stringify(created['keyword_settings'])).toBe(JSON.stringify(keyword_settings));
      const { body } = await call(alice, 'GET', `${MONITORS}/${created.id}`);
      expect(JSON.stringify(body['keyword_settings'])).toBe(JSON.stringify(keyword_settings));
    },
  );

  test.each([
    ...['text', '', 1.5, -0.5, true, false, null].map((value) => assertion({ value })),
    { path: '$', operator: 'exists' },
    { path: 'a', operator: 'not_exists' },
    { path: 'a', operator: 'not_exists', value: null },
    ...['not_equals', 'not_contains', 'gt', 'gte', 'lt', 'lte'].map((operator) =>
      assertion({ operator, value: '10.5' }),
    ),
    ...['a.b.c', 'items.0.name', '$.a.b', 'a["b.c"].d', '["a.b"]', '$["a.b"]'].map((path) =>
      assertion({ path }),
    ),
    ...[1, '1', '-1.5', '1e3', '.5', '+2'].map((value) => assertion({ operator: 'gte', value })),
    assertion({ operator: 'regex', value: String.raw`^\d+(?P<unit>ms|s)$` }),
    assertion({ operator: 'not_regex', value: '' }),
    assertion({ operator: 'regex', value: `(?i)${'[Ā-￿]'.repeat(4)}${'[a-z-]'.repeat(99)}` }),
    assertion({ operator: 'regex', value: '[Ā-￿]'.repeat(99) }),
    assertion({ operator: 'regex', value: 'x'.repeat(1000) }),
    assertion({ path: '$.data["a.b"].0', operator: 'contains', value: 1 }),
    assertion({ path: `a.${'b'.repeat(498)}` }),
  ])(
    'an assertion comes back as it was sent: %j [1.16, 1.20, 8.5, 8.6, 8.7, 8.8, 17.9, 17.12, 17.13]',
    async (one) => {
      const { create } = await api();
      const json_assertion_settings = { assertions: Array(10).fill(one) };
      const created = await create({ json_assertion_settings });
      expect(created['json_assertion_settings']).toEqual(json_assertion_settings);
      expect(created['check_types']).toEqual(['json']);
    },
  );
});

eachDatabase((_name, open) => {
  test('settings survive the database as they were sent, odd characters and all', async () => {
    const api = await openApi(await open());
    const keyword_settings = {
      search_target: 'text',
      keywords: [keyword({ phrase: 'ü "quoted" \\ 🚨' })],
    };
    const created = await api.create({ keyword_settings, check_types: ['ssl'] });
    expect(created['check_types']).toEqual(['ssl', 'keyword']);
    const { body } = await api.call(api.alice, 'GET', `${MONITORS}/${created.id}`);
    expect(JSON.stringify(body['keyword_settings'])).toBe(JSON.stringify(keyword_settings));
  });

  test('a change of sub-checks is one of what the check is', async () => {
    const api = await openApi(await open());
    const { id } = await api.create({ keyword_settings: KEYWORDS });
    const revision = async () =>
      (
        await api.database.read
          .selectFrom('monitor')
          .select('revision')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).revision;
    const put = (body: object) => api.call(api.alice, 'PUT', `${MONITORS}/${id}`, body);
    await put({ keyword_settings: KEYWORDS, check_types: ['keyword'] });
    expect(await revision()).toBe(1);
    await put({ keyword_settings: OTHER_KEYWORDS });
    expect(await revision()).toBe(2);
    await put({ check_types: ['ssl', 'keyword'] });
    expect(await revision()).toBe(3);
  });
});

describe('the sub-checks of a manual check', () => {
  const api = sharedApi();
  const silent = 'Nothing was found out: Nothing is inspected here.';
  const never = 'The check ssl never runs: the url is not https.';
  test.each([
    [LEAST.http, { ssl: null, not_run: {} }],
    [{ check_types: ['ssl'] }, { ssl: null, not_run: { ssl: silent } }],
    [
      { check_types: ['ssl'], url: 'HTTP://example.com' },
      { ssl: null, not_run: { ssl: never } },
    ],
    [
      { check_types: ['domain', 'dns'], keyword_settings: KEYWORDS },
      {
        ssl: null,
        domain: null,
        dns: null,
        keyword: null,
        not_run: { domain: silent, dns: silent, keyword: 'The page was not searched.' },
      },
    ],
    [LEAST.port, { ssl: null, not_run: {} }],
    [
      { ...LEAST.ping, check_types: ['dns'] },
      { ssl: null, dns: null, not_run: { dns: silent } },
    ],
  ])('%j answers %j beside uptime [9.6, 9.8, 9.22, 23.1]', async (body, wanted) => {
    const { call, create, alice } = await api();
    const { id } = await create(body);
    const { status, body: answer } = await call(alice, 'POST', `${MONITORS}/${id}/check`);
    expect(status).toBe(200);
    const { uptime, ...others } = answer as unknown as { uptime: object };
    expect(uptime).toMatchObject({ is_up: true });
    expect(others).toEqual(wanted);
  });
});

describe('numbers of assertions come back as they were sent [8.32]', () => {
  const opened = sharedApi();
  const SETTINGS =
    '{"assertions":[{"path":"a","operator":"equals","value":9007199254740993},' +
    '{"path":"b","operator":"gt","value":-1.50},{"path":"c","operator":"lt","value":1e400}]}';
  const BODY = `{"monitor_type":"http","url":"https://exact.example","check_interval":1,"json_assertion_settings":${SETTINGS}}`;
  const kept = `"json_assertion_settings":${SETTINGS}`;

  test('in every answer, and in the check', async () => {
    const api = await opened();
    const { alice } = api;
    const key = { 'idempotency-key': 'exact' };
    const created = await api.call(alice, 'POST', MONITORS, BODY, key);
    expect([created.status, created.text]).toEqual([201, expect.stringContaining(kept)]);
    expect((await api.call(alice, 'POST', MONITORS, BODY, key)).text).toBe(created.text);

    const path = `${MONITORS}/${created.body.id}`;
    for (const shown of [path, MONITORS, '/api/v1/audit-log']) {
      expect((await api.call(alice, 'GET', shown)).text).toContain(kept);
    }
    const change = SETTINGS.replace('1e400', '1E+400');
    const changed = await api.call(alice, 'PUT', path, `{"json_assertion_settings":${change}}`);
    expect(changed.text).toContain(change);
    const bulk = await api.call(alice, 'POST', `${MONITORS}/bulk`, `{"monitors":[${BODY}]}`);
    expect(bulk.text).toContain(kept);

    await api.call(alice, 'POST', `${path}/check`);
    const { content } = api.checks.at(-1)!.request as HttpCheckRequest;
    expect(JSON.parse(JSON.stringify(content)).assertions).toMatchObject([
      { value: 9007199254740992, spelling: '9007199254740993' },
      { value: -1.5, spelling: '-1.50' },
      { spelling: '1E+400' },
    ]);
  });

  test('also by way of a tool', async () => {
    const api = await opened();
    const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_monitor","arguments":${BODY}}}`;
    const headers = { accept: 'application/json, text/event-stream' };
    const { text } = await api.call(api.alice, 'POST', '/mcp', message, headers);
    const [, id] = /"id":(\d+),/.exec(text.slice(text.indexOf('structuredContent')))!;
    expect((await api.call(api.alice, 'GET', `${MONITORS}/${id}`)).text).toContain(kept);
    const look = message
      .replace('create_monitor', 'get_monitor')
      .replace(BODY, `{"monitor_id":${id},"detail":true}`);
    const shown = await api.call(api.alice, 'POST', '/mcp', look, headers);
    for (const value of ['9007199254740993', '-1.50', '1e400']) {
      expect(shown.text).toContain(`"value":${value}`);
      expect(shown.text).toContain(`| ${value}`);
    }
  });

  test('and numbers of other settings are numbers', async () => {
    const api = await opened();
    const { status } = await api.call(
      api.alice,
      'POST',
      MONITORS,
      BODY.replace('"check_interval":1', '"check_interval":1.0'),
    );
    expect(status).toBe(201);
  });
});
