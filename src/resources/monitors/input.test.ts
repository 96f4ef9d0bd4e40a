import { createRegions } from '../../model/regions.ts';
import { describe, expect, test } from 'vitest';
import { openApi, sharedApi, type Json } from '../../../test/support/api.ts';
import {
  ALL_TYPES,
  LEAST,
  PULL,
  PUSH,
  type AnyType,
} from '../../../test/support/monitor-bodies.ts';
import { REGIONS } from '../../../test/support/rounds.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';

const MONITORS = '/api/v1/monitors';

/** A number that JSON can write and JavaScript can't hold. */
const HUGE = '@1e999';
const json = (body: object) => JSON.stringify(body).replaceAll(`"${HUGE}"`, '1e999');

type Bad = [types: AnyType[], field: string, value: unknown, where: string, predicate: string];

/** The same fault for many values of a field. */
function bad(types: AnyType[], field: string, predicate: string, values: unknown[]): Bad[] {
  return values.map((value) => [types, field, value, field, predicate]);
}

/** What is no number at all, or one beyond the bounds. */
function badNumber(types: AnyType[], field: string, bounds: [number, number], what: string): Bad[] {
  const [least, most] = bounds;
  const isWhole = !what.startsWith('a number');
  const step = isWhole ? 1 : 0.01;
  const values = [
    least - step,
    most + step,
    -least - 1,
    HUGE,
    `${least}`,
    'NaN',
    true,
    false,
    [],
    {},
  ];
  if (isWhole) values.push(least + 0.5, [least]);
  return bad(types, field, `must be ${what} from ${least} to ${most}`, values);
}

const badYesOrNo = (types: AnyType[], field: string) =>
  bad(types, field, 'must be true or false', ['true', 'false', 0, 1, [], {}, 'yes']);

const list = (types: AnyType[], field: string, rows: [unknown, string, string][]): Bad[] =>
  rows.map(([value, where, predicate]) => [types, field, value, where, predicate]);

const HOUSE_REGIONS = REGIONS.join(', ');
const NOT_STORABLE = 'must not hold a NUL character or half a character';
const STATUS_CODE =
  'must be a status code such as 401, a class such as "2xx" or a range such as "200-299"';
const DOTS = 'must not have a dot after a dot, or at the beginning, in its host';
const LABEL = 'must have at most 63 characters between the dots of its host';
const zoned = (zone: string) =>
  `must not hold a zone (${zone}) after its address: it means something on one machine only`;
const CREDENTIALS =
  'must not hold a user name or password: send them as auth_username and auth_password, with auth_type basic';
const METHOD = 'must be one of GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS';
const HTTP_URL = 'must be an absolute http or https URL, such as https://example.com';
const HOST = 'must be a host name, an IP address or a URL whose host is used, such as example.com';
const URL_CHARACTERS = 'must not hold control characters or outer spaces';
const METADATA =
  'aims at 169.254.169.254, which is a link-local address: only the operator can allow that, by ALLOW_PRIVATE_TARGETS';
const GROUP = 'must be the id of a group, a whole number';

const BAD: Bad[] = [
  ...bad(PULL, 'url', 'must be text', [1, true, [], {}, ['https://example.com']]),
  ...bad(['http'], 'url', HTTP_URL, [
    'example.com',
    'ftp://example.com',
    'http:example.com',
    'https://',
    'https://exa mple.com',
    'javascript:alert(1)',
    'http://[::1',
    'http://',
    '/path',
    '//a.example',
  ]),
  ...bad(['ping', 'port'], 'url', HOST, [
    'exam ple.com',
    'http://',
    '[::1',
    'a:b:80',
    '999.1.1.1',
    ':::',
  ]),
  ...bad(['ping'], 'url', `${HOST}, without a port`, ['example.com:80']),
  ...bad(['port'], 'url', `${HOST}, without a port: give that in port`, ['localhost:8082']),
  ...bad(PULL, 'url', URL_CHARACTERS, [' https://a.example', 'https://a.example\n', '\0']),
  ...bad(['http'], 'url', DOTS, ['http://a..b', 'http://.a.example/x']),
  ...bad(['ping', 'port'], 'url', DOTS, ['a..example', 'x://a..b:80/']),
  ...bad(['http'], 'url', LABEL, [`http://${'a'.repeat(64)}.example/`]),
  ...bad(['ping', 'port'], 'url', LABEL, ['a'.repeat(64)]),
  ...bad(['http'], 'url', 'must have at most 253 characters in its host', [
    `http://${'abcdefgh.'.repeat(28)}example/`,
  ]),
  ...bad(['http'], 'url', zoned('%25eth0'), [
    'http://[fe80::1%25eth0]/',
    'https://[fe80::1%25eth0]:8443',
  ]),
  ...bad(['http'], 'url', zoned('%eth0'), ['http://[fe80::1%eth0]/']),
  ...bad(['http'], 'url', CREDENTIALS, [
    'https://user@example.com',
    'https://user:word@example.com',
    'https:////user:word@example.com',
    'https://\\/user:word@example.com',
  ]),
  ...bad(['ping', 'port'], 'url', 'must not hold a user name or password', [
    'https://user@example.com',
    'https://user:word@example.com',
    'https:////user:word@example.com',
    'https://\\/user:word@example.com',
  ]),
  ...bad(['http'], 'url', CREDENTIALS, ['http:///user:word@example.com/']),
  ...bad(['ping', 'port'], 'url', 'must not hold a user name or password', [
    'ssh:///root:word@host.example',
    'x://\\/user:word@host.example',
  ]),
  ...bad(PULL, 'url', 'must have at most 2048 characters', [
    `https://example.com/${'a'.repeat(2029)}`,
  ]),
  ...bad(['http'], 'url', METADATA, ['http://169.254.169.254/latest', 'http://0xA9FEA9FE/latest']),
  ...bad(['ping', 'port'], 'url', METADATA, ['169.254.169.254']),
  ...badNumber(PULL, 'check_interval', [0.5, 60], 'a number of minutes'),
  ...badNumber(['port'], 'port', [1, 65_535], 'a TCP port, a whole number'),
  ...badNumber(['heartbeat'], 'heartbeat_interval', [30, 2_592_000], 'a whole number of seconds'),
  ...badNumber(PUSH, 'heartbeat_grace', [0, 86_400], 'a whole number of seconds'),
  ...badNumber(PUSH, 'heartbeat_max_runtime', [1, 604_800], 'a whole number of seconds'),
  ...badYesOrNo(PUSH, 'heartbeat_wait_for_first_ping'),
  ...bad(
    PUSH,
    'heartbeat_timezone',
    'must be the IANA name of a time zone, such as Europe/Berlin',
    ['Mars/Olympus', 'Europe', '+02:00', ' UTC', 1, true, [], {}, ['UTC'], '\0'],
  ),
  ...bad(
    ['cron'],
    'heartbeat_cron_expression',
    'must be a cron expression of 5 fields, such as "0 3 * * *"',
    [5, true, [], {}, ['* * * * *']],
  ),
  ...bad(ALL_TYPES, 'friendly_name', 'must be text of 1 to 255 characters', [
    'x'.repeat(256),
    '🚨'.repeat(256),
    1,
    true,
    [],
    {},
    ['name'],
  ]),
  ...bad(ALL_TYPES, 'friendly_name', NOT_STORABLE, ['a\0b', '\ud800']),
  ...bad(ALL_TYPES, 'group_id', GROUP, ['1', 1.5, true, [], {}, [1], HUGE, 2 ** 53]),
  ...bad(ALL_TYPES, 'group_id', 'must be a group of your team', [0, -1, 987_654, 2 ** 53 - 1]),
  ...list(ALL_TYPES, 'tags', [
    ['tag', 'tags', 'must be an array of texts'],
    [1, 'tags', 'must be an array of texts'],
    [true, 'tags', 'must be an array of texts'],
    [{}, 'tags', 'must be an array of texts'],
    [Array(21).fill('t'), 'tags', 'must have at most 20 entries'],
    [['a', ''], 'tags.1', 'must be text of 1 to 50 characters'],
    [[null], 'tags.0', 'must be text of 1 to 50 characters'],
    [[1], 'tags.0', 'must be text of 1 to 50 characters'],
    [[['a']], 'tags.0', 'must be text of 1 to 50 characters'],
    [['x'.repeat(51)], 'tags.0', 'must be text of 1 to 50 characters'],
    [['a', 'b\0'], 'tags.1', NOT_STORABLE],
  ]),
  ...list(ALL_TYPES, 'monitored_regions', [
    ...['ash', 1, true, {}].map((value): [unknown, string, string] => [
      value,
      'monitored_regions',
      `must be an array of regions, any of ${HOUSE_REGIONS}`,
    ]),
    [[], 'monitored_regions', 'must name at least one region'],
    [['ash', 'fra'], 'monitored_regions.1', `must be one of ${HOUSE_REGIONS}`],
    [['ASH'], 'monitored_regions.0', `must be one of ${HOUSE_REGIONS} (did you mean ash?)`],
    [[''], 'monitored_regions.0', `must be one of ${HOUSE_REGIONS}`],
    [[null], 'monitored_regions.0', `must be one of ${HOUSE_REGIONS}`],
    [['ash', 'pdx', 'ash'], 'monitored_regions', 'must not name a region twice'],
    [
      ['a', 'b', 'c', 'd', 'e'],
      'monitored_regions',
      `must have at most 4 regions, any of ${HOUSE_REGIONS}`,
    ],
  ]),
  ...list(ALL_TYPES, 'accepted_status_codes', [
    ...['200', 200, true, {}].map((value): [unknown, string, string] => [
      value,
      'accepted_status_codes',
      'must be an array of status codes, such as [401, "2xx", "200-299"]',
    ]),
    [[], 'accepted_status_codes', 'must have at least one entry; null accepts 2xx and 3xx'],
    [Array(101).fill('200'), 'accepted_status_codes', 'must have at most 100 entries'],
    [['299-200'], 'accepted_status_codes.0', 'must not begin above its end'],
    ...[
      '2XX',
      '20x',
      '600',
      '099',
      '2',
      '',
      null,
      '200 ',
      '200-',
      '-200',
      '200-600',
      '099-200',
      '2xx-3xx',
      '200 - 299',
      '200-299-300',
      99,
      600,
      200.5,
      -200,
      true,
      [200],
    ].map((value): [unknown, string, string] => [
      ['2xx', value],
      'accepted_status_codes.1',
      STATUS_CODE,
    ]),
  ]),
  ...badYesOrNo(ALL_TYPES, 'follow_redirects'),
  ...badYesOrNo(ALL_TYPES, 'verify_ssl'),
  ...badYesOrNo(ALL_TYPES, 'error_text_detection'),
  ...badYesOrNo(ALL_TYPES, 'check_both_families'),
  ...badNumber(ALL_TYPES, 'request_timeout', [1, 60], 'a whole number of seconds'),
  ...badNumber(ALL_TYPES, 'ssl_expiry_threshold', [1, 365], 'a whole number of days'),
  ...badNumber(ALL_TYPES, 'domain_expiry_threshold', [1, 365], 'a whole number of days'),
  ...badNumber(
    ALL_TYPES,
    'slow_response_threshold',
    [100, 60_000],
    'a whole number of milliseconds',
  ),
  ...badNumber(ALL_TYPES, 'failure_threshold', [1, 10], 'a whole number'),
  ...badNumber(ALL_TYPES, 'recovery_threshold', [1, 10], 'a whole number'),
  ...bad(['http'], 'http_method', `${METHOD} (did you mean GET?)`, ['get']),
  ...bad(['http'], 'http_method', METHOD, ['TRACE', 'CONNECT', 1, true, [], {}, ['GET']]),
  ...bad(['http'], 'request_body', 'must be text of 1 to 10000 characters', [
    'x'.repeat(10_001),
    1,
    true,
    [],
    {},
  ]),
  ...bad(
    ['http'],
    'request_body',
    'is for the methods POST, PUT and PATCH, but http_method is GET',
    ['x'],
  ),
  ...bad(['http'], 'request_headers', 'must be an object whose values are texts', [
    'X-A: b',
    1,
    true,
    [],
    ['a'],
  ]),
  ...list(['http'], 'request_headers', [
    [{ 'X-A': 1 }, 'request_headers.X-A', 'must be text'],
    [JSON.parse('{"__proto__":[]}'), 'request_headers.__proto__', 'must be text'],
    [{ 'X-A': null }, 'request_headers.X-A', 'must be text'],
    [{ 'X-A': ['b'] }, 'request_headers.X-A', 'must be text'],
    [{ '': 'b' }, 'request_headers.', 'must have a name before its value'],
    [{ a: '1', A: '2' }, 'request_headers', 'must not hold a name twice, whatever the case'],
    [{ 'X A': '1' }, 'request_headers.X A', 'is no header name: use letters, digits and hyphens'],
    [
      { 'X-A': 'a\r\nb' },
      'request_headers.X-A',
      'must hold only Latin-1 characters, and no line breaks',
    ],
    [{ 'X-A': 'x'.repeat(8193) }, 'request_headers.X-A', 'must have at most 8192 characters'],
    [
      { 'Content-Length': '5' },
      'request_headers.Content-Length',
      'is set by the check itself: leave it out',
    ],
    [
      { Expect: '100-continue' },
      'request_headers.Expect',
      "can't be sent, since the check sends its body at once: leave it out",
    ],
    [
      { upgrade: 'h2c' },
      'request_headers.upgrade',
      "can't be sent, since the check speaks HTTP/1.1 only: leave it out",
    ],
    [
      Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`x${n}`, ''])),
      'request_headers',
      'must have at most 50 entries',
    ],
    [
      Object.fromEntries(Array.from({ length: 5 }, (_, n) => [`x${n}`, 'x'.repeat(7_000)])),
      'request_headers',
      'must have at most 32768 characters in all',
    ],
  ]),
  ...bad(ALL_TYPES, 'monitor_type', '?', ['smtp', 1, true, [], {}]),
  // Fields of http monitors only.
  ...(
    [
      ['http_method', ['GET', 1, false]],
      ['request_headers', [{ a: 'b' }, ['a'], 'a']],
      ['request_body', ['x', 0]],
      ['keyword_settings', [{ keywords: [{}] }, { search_target: 'html' }, 'x', 1, false]],
      ['json_assertion_settings', [{ assertions: [1] }, { a: 1 }, true]],
      ['auth_type', ['basic', 'x', 1]],
      ['auth_username', ['u', 0]],
      ['auth_password', ['p', '••••••••']],
    ] as const
  ).flatMap(([field, values]) =>
    bad(
      ['ping', 'port', 'heartbeat', 'cron'],
      field,
      'is for http monitors only: leave it out, or send null',
      [...values],
    ),
  ),
];

const CASES = BAD.flatMap(([types, ...rest]) => types.map((type) => [type, ...rest] as const));

describe('a wrong value [1.18, 6.1, 6.10, 6.13, 7.1, 7.3, 7.4, 7.5, 7.7, 7.10, 7.26]', () => {
  const api = sharedApi();
  const stored = new Map<AnyType, Promise<Json>>();
  const standing = async (type: AnyType) => {
    const { create } = await api();
    const created = stored.get(type) ?? create({ ...LEAST[type], tags: ['standing'] });
    stored.set(type, created);
    return created;
  };

  test.each(CASES)('%s: %s %j', async (type, field, value, where, predicate) => {
    const { call, alice, nudges } = await api();
    const { id } = await standing(type);
    const read = async () => (await call(alice, 'GET', `${MONITORS}/${id}`)).body;
    const before = [await read(), nudges.length];
    const attempts = [
      await call(alice, 'POST', MONITORS, json({ ...LEAST[type], [field]: value })),
      await call(alice, 'PUT', `/api/monitors/${id}`, json({ [field]: value })),
    ];
    for (const [index, { status, body }] of attempts.entries()) {
      const isUpdate = index === 1;
      const said =
        field === 'monitor_type'
          ? isUpdate
            ? `can't be changed: it is ${type}; create a new monitor instead`
            : `must be one of ${ALL_TYPES.join(', ')}`
          : predicate;
      expect(status).toBe(422);
      const errors = body['errors'] as Record<string, string[]>;
      expect(errors[where]).toEqual([`${where} ${said}.`]);
      // Of an unknown type it can't be told which fields it needs.
      if (field === 'monitor_type') continue;
      expect(Object.keys(errors)).toEqual([where]);
      expect(body['message']).toBe(`${where} ${said}.`);
    }
    expect([await read(), nudges.length]).toEqual(before);
  });
});

describe('a type that is none names what serves [2.27]', () => {
  const api = sharedApi();

  test.each([
    ['HTTP', ' (did you mean http?)'],
    ['https', ': for https, use http with an https URL'],
    ['tcp', ': for a TCP port, use port'],
    ['push', ': for jobs that call, use heartbeat or cron'],
    ['keyword', ': for this, use http with check_types'],
    ['dns', ': for this, use http with check_types'],
    ['smtp', ''],
  ])('%s', async (type, hint) => {
    const { call, alice } = await api();
    const { body } = await call(alice, 'POST', MONITORS, json({ monitor_type: type }));
    const said = `monitor_type must be one of ${ALL_TYPES.join(', ')}${hint}.`;
    expect(body['errors']).toMatchObject({ monitor_type: [said] });
  });
});

const needed = (field: string, hint: string) => [field, `${field} is required: ${hint}.`] as const;

describe('null and "" for a required field [6.3, 6.22, 7.8]', () => {
  const api = sharedApi();
  const interval = needed(
    'check_interval',
    'give minutes from 0.5 to 60, or have the operator set DEFAULT_CHECK_INTERVAL',
  );
  const host = needed('url', 'give a host name, an IP address or a URL');
  const name = needed('friendly_name', 'give the job a name');
  test.each([
    ['http', ...needed('url', 'give an absolute http or https URL')],
    ['http', ...interval],
    ['ping', ...host],
    ['ping', ...interval],
    ['port', ...host],
    ['port', ...needed('port', 'give a TCP port from 1 to 65535')],
    ['port', ...interval],
    ['heartbeat', ...name],
    ['heartbeat', ...needed('heartbeat_interval', 'give seconds from 30 to 2592000')],
    ['cron', ...name],
    ['cron', ...needed('heartbeat_cron_expression', 'give 5 fields such as "0 3 * * *"')],
  ] as const)('%s: %s', async (type, field, sentence) => {
    const { call, create, alice } = await api();
    const { id } = await create(LEAST[type]);
    for (const value of [null, '']) {
      const answers = [
        await call(alice, 'POST', MONITORS, { ...LEAST[type], [field]: value }),
        await call(alice, 'PUT', `${MONITORS}/${id}`, { [field]: value }),
      ];
      for (const { status, body } of answers) {
        expect([status, body['errors']]).toEqual([422, { [field]: [sentence] }]);
      }
    }
    const { [field as never]: _, ...without } = LEAST[type];
    const absent = await call(alice, 'POST', MONITORS, without);
    expect(absent.body['errors']).toEqual({ [field]: [sentence] });
  });
});

describe('a good value at the edge [1.19, 6.12, 6.20, 7.1, 7.3, 7.4, 7.6, 7.7, 7.10, 7.12, 7.15, 7.16, 7.17, 7.18, 7.19, 7.20, 7.21, 7.22, 7.23, 7.24, 7.25, 7.27, 7.28, 7.29, 7.30, 7.31, 7.32, 7.33, 7.34, 7.35]', () => {
  const api = sharedApi();
  const GOOD: [types: AnyType[], field: string, values: unknown[]][] = [
    [PULL, 'check_interval', [0.5, 0.51, 1, 59.999, 60]],
    [
      ['http'],
      'url',
      [
        'HTTP://Example.COM',
        `https://example.com/${'a'.repeat(2028)}`,
        'https://münchen.example/#x',
        'https://xn--bcher-kva.example/',
        'https://a.example:8443/A%7eb?query=1#fragment',
        'http://127.0.0.1:80/',
        'http://[::1]/',
      ],
    ],
    [
      ['ping', 'port'],
      'url',
      [
        '::1',
        '[2001:DB8::1]',
        '192.0.2.1',
        'Example.COM',
        'localhost',
        'bücher.example',
        'https://a.example:8/b',
        'http://[2001:db8::1]:8080/',
      ],
    ],
    [['port'], 'port', [1, 65_535]],
    [['heartbeat'], 'heartbeat_interval', [30, 2_592_000]],
    [['cron'], 'heartbeat_cron_expression', ['* * * * *', '0 0 29 2 *', '*/5  1-3 * jan mon-fri']],
    [PUSH, 'heartbeat_grace', [0, 86_400]],
    [PUSH, 'heartbeat_max_runtime', [1, 604_800, null]],
    [PUSH, 'heartbeat_wait_for_first_ping', [true, false]],
    [
      PUSH,
      'heartbeat_timezone',
      ['UTC', 'Europe/Berlin', 'Asia/Calcutta', 'America/Argentina/Ushuaia'],
    ],
    [
      ALL_TYPES,
      'friendly_name',
      ['x', 'x'.repeat(255), '🚨'.repeat(255), '  spaces  ', '<b>&amp;</b>', '🚨'],
    ],
    [ALL_TYPES, 'tags', [[], ['a', 'a'], ['b', 'A', 'a'], Array(20).fill('x'.repeat(50))]],
    [ALL_TYPES, 'monitored_regions', [['sin'], ['sin', 'ash'], REGIONS]],
    [
      ALL_TYPES,
      'accepted_status_codes',
      [
        null,
        ['599', '100', '5xx', '2xx'],
        Array(100).fill('200'),
        [401, '2xx', '200-299', '200', 100, 599, '100-599', '404-404'],
      ],
    ],
    [ALL_TYPES, 'request_timeout', [1, 60]],
    [ALL_TYPES, 'ssl_expiry_threshold', [1, 365]],
    [ALL_TYPES, 'domain_expiry_threshold', [1, 365]],
    [ALL_TYPES, 'slow_response_threshold', [100, 60_000, null]],
    [ALL_TYPES, 'failure_threshold', [1, 10]],
    [ALL_TYPES, 'recovery_threshold', [1, 10]],
    [ALL_TYPES, 'follow_redirects', [false, true]],
    [ALL_TYPES, 'verify_ssl', [false, true]],
    [ALL_TYPES, 'error_text_detection', [true, false]],
    [ALL_TYPES, 'check_both_families', [true, false]],
    [['http'], 'http_method', ['HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'GET']],
    [['http'], 'check_types', [['ssl'], ['domain', 'ssl', 'dns']]],
    [['ping', 'port'], 'check_types', [['dns'], ['domain'], ['domain', 'dns']]],
    [
      ['http'],
      'request_headers',
      [
        {},
        JSON.parse('{"__proto__":"a","constructor":"b"}'),
        { 'User-Agent': 'x', 'x-A': '' },
        Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`X-${n}`, 'x'])),
        null,
      ],
    ],
  ];
  test.each(GOOD.flatMap(([types, ...rest]) => types.map((type) => [type, ...rest] as const)))(
    '%s: %s',
    async (type, field, values) => {
      const { call, create, alice } = await api();
      for (const value of values) {
        expect((await create({ ...LEAST[type], [field]: value }))[field]).toEqual(value);
      }
      const { id } = await create(LEAST[type]);
      for (const value of values) {
        const put = await call(alice, 'PUT', `${MONITORS}/${id}`, { [field]: value });
        expect([put.status, put.body[field]]).toEqual([200, value]);
        expect((await call(alice, 'GET', `/api/monitors/${id}`)).body[field]).toEqual(value);
      }
    },
  );
});

/** All but what is new in each monitor. */
function comparable({ id: _id, url: _url, ping_url: _ping, ...rest }: Json) {
  return rest;
}

describe('what means nothing for a type [1.17, 6.7, 6.8, 6.9, 6.11]', () => {
  const api = sharedApi();
  const WHATEVER = [null, '', 'x', -1, 1.5, true, [], {}, { a: [1] }];
  const IGNORED: [types: AnyType[], fields: string[]][] = [
    [['http', 'ping', 'heartbeat', 'cron'], ['port']],
    [PUSH, ['url', 'check_interval', 'ping_url']],
    [PULL, ['heartbeat_interval', 'heartbeat_cron_expression', 'heartbeat_timezone']],
    [PULL, ['heartbeat_grace', 'heartbeat_wait_for_first_ping', 'heartbeat_max_runtime']],
    [['heartbeat'], ['heartbeat_cron_expression']],
    [['cron'], ['heartbeat_interval']],
    [ALL_TYPES, ['id', 'status', 'is_paused', 'heartbeat_expected_at', 'team_id', 'unknown']],
  ];
  test.each(
    IGNORED.flatMap(([types, fields]) =>
      types.flatMap((type) => fields.map((field) => [type, field] as const)),
    ),
  )('%s ignores %s', async (type, field) => {
    const { call, create, alice } = await api();
    const plain = await create(LEAST[type]);
    for (const value of WHATEVER) {
      const created = await create({ ...LEAST[type], [field]: value });
      expect(comparable(created)).toEqual(comparable(plain));
      const put = await call(alice, 'PUT', `${MONITORS}/${plain.id}`, { [field]: value });
      expect([put.status, put.body]).toEqual([200, plain]);
    }
  });

  test.each(['ping', 'port', 'heartbeat', 'cron'] as const)(
    '%s: fields of http monitors without content come back null',
    async (type) => {
      const { call, create, alice } = await api();
      const fields = [
        'http_method',
        'request_headers',
        'request_body',
        'keyword_settings',
        'json_assertion_settings',
        'auth_type',
        'auth_username',
        'auth_password',
      ];
      for (const value of [null, '', {}, []]) {
        const empty = Object.fromEntries(fields.map((field) => [field, value]));
        const created = await create({ ...LEAST[type], ...empty });
        const put = await call(alice, 'PUT', `${MONITORS}/${created.id}`, empty);
        expect(put.status).toBe(200);
        for (const body of [created, put.body]) {
          const shown = fields.filter((field) => field !== 'auth_password');
          expect(shown.map((field) => body[field])).toEqual(shown.map(() => null));
          expect(body).not.toHaveProperty('auth_password');
        }
      }
      const lists = {
        keyword_settings: { keywords: [] },
        json_assertion_settings: { assertions: [] },
      };
      expect(await create({ ...LEAST[type], ...lists })).toMatchObject({ keyword_settings: null });
    },
  );
});

describe('what depends on another field', () => {
  const api = sharedApi();

  test.each(['POST', 'PUT', 'PATCH'])('a request_body goes with %s [7.26]', async (http_method) => {
    const { create } = await api();
    const request_body = 'x'.repeat(10_000);
    const created = await create({ http_method, request_body });
    expect(created['request_body']).toBe(request_body);
  });

  test('a method without a body is refused while one is set, sent or stored', async () => {
    const { call, create, alice } = await api();
    const { id } = await create({ http_method: 'POST', request_body: 'x' });
    const put = await call(alice, 'PUT', `${MONITORS}/${id}`, { http_method: 'GET' });
    expect(put.body['errors']).toEqual({
      http_method: [expect.stringMatching(/^http_method can't be GET while a request_body is set/)],
    });
    const post = await call(alice, 'POST', MONITORS, {
      ...LEAST.http,
      http_method: 'HEAD',
      request_body: 'x',
    });
    const sentence =
      'request_body is for the methods POST, PUT and PATCH, but http_method is HEAD.';
    expect(post.body['errors']).toEqual({ request_body: [sentence] });
  });

  test.each(ALL_TYPES)('the type of a %s monitor may be sent, not changed [6.21]', async (type) => {
    const { call, create, alice } = await api();
    const { id } = await create(LEAST[type]);
    const put = (body: object) => call(alice, 'PUT', `${MONITORS}/${id}`, body);
    const same = await put({ monitor_type: type, tags: ['same'] });
    expect([same.status, same.body]).toMatchObject([200, { monitor_type: type, tags: ['same'] }]);
    const sentence = `monitor_type can't be changed: it is ${type}; create a new monitor instead.`;
    for (const other of ALL_TYPES.filter((each) => each !== type)) {
      const { status, body } = await put({ monitor_type: other });
      expect([status, body['errors']]).toEqual([422, { monitor_type: [sentence] }]);
    }
  });
});

const open = async (defaults: { regions: string[]; checkInterval: number | null }) =>
  openApi(await openInMemory(), {
    defaults,
    regions: createRegions(defaults.regions.map((code) => ({ code, title: code }))),
  });

describe('what the installation sets', () => {
  test('an interval that is left out is that of the operator [7.8]', async () => {
    const { create } = await open({ regions: ['ash'], checkInterval: 7.5 });
    for (const check_interval of [undefined, null, '']) {
      expect(await create({ check_interval })).toMatchObject({ check_interval: 7.5 });
    }
  });

  test('the regions are those of the installation, all when none are given [7.9]', async () => {
    const regions = ['vienna', 'oslo'];
    const { call, create, alice } = await open({ regions, checkInterval: null });
    expect((await create())['monitored_regions']).toEqual(regions);
    const body = { ...LEAST.http, monitored_regions: ['ash'] };
    expect((await call(alice, 'POST', MONITORS, body)).status).toBe(422);
  });
});
