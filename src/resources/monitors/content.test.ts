import { describe, expect, test } from 'vitest';
import { openApi, sentences, sharedApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
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
const NOT_BESIDE_KEYWORD = "can't be used beside keyword_settings: send null for one of them";

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
    [
      { check_types: ['ssl'], keyword_settings: KEYWORDS },
      { check_types: ['ssl', 'keyword'], keyword_settings: KEYWORDS },
    ],
    [{ check_types: [], json_assertion_settings: ASSERTIONS }, { check_types: ['json'] }],
    [{ check_types: null, keyword_settings: KEYWORDS }, { check_types: ['keyword'] }],
    [
      { check_types: ['keyword', 'dns'], keyword_settings: KEYWORDS },
      { check_types: ['keyword', 'dns'] },
    ],
    // Without content they are as if unset.
    ...[null, '', {}, [], { keywords: [] }, { keywords: [], search_target: 'html' }].map(
      (keyword_settings) => [
        { keyword_settings, json_assertion_settings: ASSERTIONS },
        { check_types: ['json'], keyword_settings: null },
      ],
    ),
    ...[null, '', {}, [], { assertions: [] }].map((json_assertion_settings) => [
      { json_assertion_settings, keyword_settings: KEYWORDS },
      { check_types: ['keyword'], json_assertion_settings: null },
    ]),
  ] as [sent: object, shown: object][])(
    'a create with %j shows %j [7.11, 7.13, 8.13, 8.14]',
    async (sent, shown) => {
      const { create } = await api();
      expect(await create(sent as Record<string, unknown>)).toMatchObject(shown);
    },
  );

  test.each([
    [{ check_types: ['keyword'] }, { keyword_settings: KEYWORD_MISSING }],
    [
      { check_types: ['json'], json_assertion_settings: {} },
      { json_assertion_settings: JSON_MISSING },
    ],
    [
      { check_types: ['keyword', 'json'] },
      {
        keyword_settings: KEYWORD_MISSING,
        json_assertion_settings: JSON_MISSING,
        check_types: 'must not name both keyword and json: a monitor has one of them',
      },
    ],
    [
      { check_types: ['keyword', 'json'], keyword_settings: KEYWORDS },
      { json_assertion_settings: JSON_MISSING, keyword_settings: NOT_BESIDE_JSON },
    ],
    [
      { keyword_settings: KEYWORDS, json_assertion_settings: ASSERTIONS },
      { keyword_settings: NOT_BESIDE_JSON, json_assertion_settings: NOT_BESIDE_KEYWORD },
    ],
    [
      { keyword_settings: KEYWORDS, json_assertion_settings: { assertions: 1 } },
      {
        'json_assertion_settings.assertions': 'must be a list of 1 to 10 assertions',
        keyword_settings: NOT_BESIDE_JSON,
        json_assertion_settings: NOT_BESIDE_KEYWORD,
      },
    ],
    [
      { check_types: 'ssl' },
      { check_types: 'must be a list of sub-checks, any of ssl, dns, domain, keyword, json' },
    ],
    [
      { check_types: {} },
      { check_types: 'must be a list of sub-checks, any of ssl, dns, domain, keyword, json' },
    ],
    [
      { check_types: ['ssl', 'SSL'] },
      { 'check_types.1': 'must be one of ssl, dns, domain, keyword, json' },
    ],
    [
      { check_types: [null] },
      { 'check_types.0': 'must be one of ssl, dns, domain, keyword, json' },
    ],
    [
      { check_types: ['uptime'] },
      { 'check_types.0': 'must be one of ssl, dns, domain, keyword, json' },
    ],
    [{ check_types: ['ssl', 'ssl'] }, { check_types: 'must not name a sub-check twice' }],
    [
      { ...LEAST.port, check_types: ['ssl', 'keyword', 'json'] },
      { check_types: 'must have at most 2 sub-checks, any of dns, domain' },
    ],
    ...['ssl', 'keyword', 'json'].flatMap((name) =>
      ([LEAST.ping, LEAST.port] as const).map((least) => [
        { ...least, check_types: ['dns', name] },
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
    [{ keyword_settings: {} }, NO_KEYWORDS],
    [{ keyword_settings: '' }, NO_KEYWORDS],
    [
      { keyword_settings: null, check_types: ['ssl'] },
      { keyword_settings: null, check_types: ['ssl'] },
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
    [{ check_types: ['json'] }, { json_assertion_settings: JSON_MISSING }],
    [
      { keyword_settings: OTHER_KEYWORDS, json_assertion_settings: ASSERTIONS },
      { keyword_settings: NOT_BESIDE_JSON, json_assertion_settings: NOT_BESIDE_KEYWORD },
    ],
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
    const check_types = 'must not name both keyword and json: a monitor has one of them';
    expect([status, body['errors']]).toEqual([422, sentences({ check_types })]);
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
  const SCALAR = 'must be text, a number, true, false or null';
  const PATTERN = 'must be a regular expression of at most 1000 characters';
  const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

  const keywordRows: [unknown, Record<string, string>][] = [
    ...['x', 1, true, ['x']].map((value): [unknown, Record<string, string>] => [
      value,
      { '': SETTINGS },
    ]),
    [{ search_target: 'html' }, { '.keywords': 'must be a list of 1 to 10 keywords' }],
    [{ keywords: null }, { '.keywords': 'must be a list of 1 to 10 keywords' }],
    [{ keywords: '' }, { '.keywords': 'must be a list of 1 to 10 keywords' }],
    [{ keywords: {} }, { '.keywords': 'must be a list of 1 to 10 keywords' }],
    [{ keywords: Array(11).fill(keyword({})) }, { '.keywords': 'must have at most 10 keywords' }],
    [{ keywords: [null] }, { '.keywords.0': ENTRY }],
    [{ keywords: [keyword({}), 'x'] }, { '.keywords.1': ENTRY }],
    [
      { keywords: [{}] },
      {
        '.keywords.0.phrase': TEXT,
        '.keywords.0.mode': 'must be one of must_contain, must_not_contain',
      },
    ],
    ...['', null, 1, true, ['a'], 'x'.repeat(501)].map(
      (phrase): [unknown, Record<string, string>] => [
        { keywords: [keyword({}), keyword({ phrase })] },
        { '.keywords.1.phrase': TEXT },
      ],
    ),
    [
      { keywords: [keyword({ phrase: 'a\0' })] },
      { '.keywords.0.phrase': 'must not hold a NUL character or half a character' },
    ],
    ...['', null, 1, 'MUST_CONTAIN', 'contains', undefined].map(
      (mode): [unknown, Record<string, string>] => [
        { keywords: [keyword({ mode })] },
        { '.keywords.0.mode': 'must be one of must_contain, must_not_contain' },
      ],
    ),
    ...['', null, 1, 'true', []].map((case_sensitive): [unknown, Record<string, string>] => [
      { keywords: [keyword({ case_sensitive })] },
      { '.keywords.0.case_sensitive': 'must be true or false' },
    ]),
    ...['', null, 1, 'HTML', 'body', []].map((search_target): [unknown, Record<string, string>] => [
      { ...KEYWORDS, search_target },
      { '.search_target': 'must be one of html, text' },
    ]),
    [{ ...KEYWORDS, more: 'x'.repeat(65_536) }, { '': 'must have at most 64 KiB as JSON' }],
    [{ ...KEYWORDS, more: nested(32) }, { '': 'must not be nested deeper than 32 levels' }],
    [
      { keywords: [keyword({ phrase: '' })], search_target: 'x' },
      { '.keywords.0.phrase': TEXT, '.search_target': 'must be one of html, text' },
    ],
  ];

  const jsonRows: [unknown, Record<string, string>][] = [
    ...['x', 1, true, ['x']].map((value): [unknown, Record<string, string>] => [
      value,
      {
        '': `must be an object such as {"assertions": [{"path": "status", "operator": "equals", "value": "ok"}]}`,
      },
    ]),
    [{ a: 1 }, { '.assertions': 'must be a list of 1 to 10 assertions' }],
    [{ assertions: null }, { '.assertions': 'must be a list of 1 to 10 assertions' }],
    [
      { assertions: Array(11).fill(assertion({})) },
      { '.assertions': 'must have at most 10 assertions' },
    ],
    [{ assertions: [1] }, { '.assertions.0': ASSERTION }],
    [{ assertions: [{}] }, { '.assertions.0.path': TEXT, '.assertions.0.operator': OPERATORS }],
    ...['', null, 1, ['a'], 'x'.repeat(501)].map((path): [unknown, Record<string, string>] => [
      { assertions: [assertion({ path })] },
      { '.assertions.0.path': TEXT },
    ]),
    ...['a..b', '.a', 'a[', '["a', '$..a', 'a[*]'].map(
      (path): [unknown, Record<string, string>] => [
        { assertions: [assertion({ path })] },
        { '.assertions.0.path': "can't be read from character" },
      ],
    ),
    ...['', null, 1, '==', 'EQUALS'].map((operator): [unknown, Record<string, string>] => [
      { assertions: [assertion({ operator })] },
      { '.assertions.0.operator': OPERATORS },
    ]),
    ...[[], {}, [1]].map((value): [unknown, Record<string, string>] => [
      { assertions: [assertion({}), assertion({ value })] },
      { '.assertions.1.value': SCALAR },
    ]),
    ...VALUED.map((operator): [unknown, Record<string, string>] => [
      { assertions: [{ path: 'a', operator }] },
      { '.assertions.0.value': `is required with the operator ${operator}` },
    ]),
    ...['gt', 'gte', 'lt', 'lte'].flatMap((operator) =>
      ['', null, 'x', true, '1,5', '0x10', ' 1', 'NaN', 'Infinity', '1e9999'].map(
        (value): [unknown, Record<string, string>] => [
          { assertions: [assertion({ operator, value })] },
          {
            '.assertions.0.value': `must be a number, or text that is one, with the operator ${operator}`,
          },
        ],
      ),
    ),
    ...['regex', 'not_regex'].flatMap((operator) =>
      [1, null, true, 'x'.repeat(1001)].map((value): [unknown, Record<string, string>] => [
        { assertions: [assertion({ operator, value })] },
        { '.assertions.0.value': PATTERN },
      ]),
    ),
    ...(
      [
        ['a(', 'missing closing ): `a(`'],
        ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
        ['[z-a]', 'invalid character class range: `z-a`'],
        [String.raw`(a)\1`, String.raw`invalid escape sequence: ${'`'}\1${'`'}`],
        ['a**', 'invalid nested repetition operator: `**`'],
        ['a{1001}', 'invalid repeat count: `{1001}`'],
      ] as const
    ).map(([value, reason]): [unknown, Record<string, string>] => [
      { assertions: [assertion({}), assertion({ operator: 'regex', value })] },
      { '.assertions.1.value': `is no regular expression in RE2 syntax: ${reason}` },
    ]),
    ...['a{0,1000}'.repeat(3), '(ab{40}){50}', '((a{10}){10}){20}'].map(
      (value): [unknown, Record<string, string>] => [
        { assertions: [assertion({ operator: 'regex', value })] },
        {
          '.assertions.0.value':
            'must have fewer repeats: written out, it must have at most 2000 steps',
        },
      ],
    ),
    ...['[Ā-￿]', String.raw`[\x{100}-\x{ffff}]`].map((range): [unknown, Record<string, string>] => [
      { assertions: [assertion({ operator: 'regex', value: `(?si)${range.repeat(5)}` })] },
      { '.assertions.0.value': 'must have at most 4 ranges beyond ASCII where it ignores case' },
    ]),
    [
      { assertions: [{ path: '', operator: 'not_regex', value: '(' }] },
      {
        '.assertions.0.path': TEXT,
        '.assertions.0.value': 'is no regular expression in RE2 syntax: missing closing ): `(`',
      },
    ],
    [{ ...ASSERTIONS, more: nested(32) }, { '': 'must not be nested deeper than 32 levels' }],
  ];

  test.each([
    ...keywordRows.map(([settings, faults]) => ['keyword_settings', settings, faults] as const),
    ...jsonRows.map(([settings, faults]) => ['json_assertion_settings', settings, faults] as const),
  ])(
    '%s %j [2.9, 8.1, 8.2, 8.3, 8.4, 8.5, 8.6, 8.7, 8.8, 8.9, 8.10, 8.20]',
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

  test('a body nested deeper than any stack is an answer', async () => {
    const { call, alice } = await api();
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const body = `{"url":"https://a.example","check_interval":1,"keyword_settings":{"keywords":[{"phrase":"a","mode":"must_contain"}],"x":${deep}}}`;
    const { status, body: answer } = await call(alice, 'POST', MONITORS, body);
    expect([status, answer['errors']]).toEqual([
      422,
      { keyword_settings: ['keyword_settings must not be nested deeper than 32 levels.'] },
    ]);
  });

  test.each([
    {
      keywords: [keyword({ phrase: '🚨'.repeat(500), case_sensitive: true })],
      search_target: 'text',
    },
    { keywords: Array(10).fill(keyword({ mode: 'must_not_contain' })) },
    {
      search_target: 'html',
      more: { zeta: [null, ''], alpha: 1 },
      keywords: [keyword({ note: '', case_sensitive: false })],
    },
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
    assertion({ path: `a.${'b'.repeat(498)}`, note: { kept: true } }),
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
      z: 1,
      a: '\0 \ud800 🚨',
      keywords: [keyword({ phrase: 'ü "quoted" \\' })],
      nested: { b: [], a: {} },
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
  const never = 'It never runs: the url is not https.';
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
