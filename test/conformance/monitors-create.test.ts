import { describe, expect, it } from 'vitest';
import { REGIONS } from '../support/rounds.ts';
import {
  ASSERTIONS,
  client,
  expectRefused,
  expectStatus,
  freshApi,
  KEYWORDS,
  PULL_TYPES,
  PUSH_TYPES,
  REQUIRED,
  TYPES,
  type MonitorType,
  names,
} from './support.ts';

const { get, post, put, monitor } = client();

const ALLOWED: Record<MonitorType, string[]> = {
  http: ['ssl', 'dns', 'domain', 'keyword', 'json'],
  ping: ['dns', 'domain'],
  port: ['dns', 'domain'],
  heartbeat: [],
  cron: [],
};
const CHECK_TYPES = ALLOWED.http;
const HTTP_ONLY = {
  keyword_settings: KEYWORDS,
  json_assertion_settings: ASSERTIONS,
  auth_type: 'basic',
  http_method: 'POST',
  request_headers: { 'X-A': '1' },
  request_body: 'a=b',
};

const pairs = <First, Second>(firsts: readonly First[], seconds: readonly Second[]) =>
  firsts.flatMap((first) => seconds.map((second) => [first, second] as const));

describe('creating monitors', () => {
  it.each(TYPES)('a %s monitor is created from what its type requires [6.3]', async (type) => {
    const made = await monitor(type);
    expect(made).toMatchObject({ ...REQUIRED[type], monitor_type: type });
    expect((await get(`/monitors/${made.id}`)).body).toMatchObject(made);
  });

  it('monitor_type is http when it is omitted [6.2]', async () => {
    expect(await monitor('http')).toMatchObject({ monitor_type: 'http' });
  });

  it.each(['https', 'HTTP', 'tcp', 7, ['http']])(
    'monitor_type %j is refused [6.1]',
    async (type) => {
      expectRefused(
        await post('/monitors', { ...REQUIRED.http, monitor_type: type }),
        'monitor_type',
      );
    },
  );

  it.each([
    ['http', 'url'],
    ['http', 'check_interval'],
    ['ping', 'url'],
    ['ping', 'check_interval'],
    ['port', 'url'],
    ['port', 'port'],
    ['port', 'check_interval'],
    ['heartbeat', 'friendly_name'],
    ['heartbeat', 'heartbeat_interval'],
    ['cron', 'friendly_name'],
    ['cron', 'heartbeat_cron_expression'],
  ] as const)(
    'a %s monitor requires %s: without it, or with null, it is 422 [6.3]',
    async (type, field) => {
      const { [field as 'url']: _omitted, ...rest } = REQUIRED[type] as { url?: string };
      expectRefused(await post('/monitors', rest), field);
      expectRefused(await post('/monitors', { ...rest, [field]: null }), field);
      expectRefused(await post('/monitors', { ...rest, [field]: '' }), field);
    },
  );

  it('a new monitor is pending, not paused, and was never checked [6.5]', async () => {
    for (const type of TYPES) {
      expect(await monitor(type)).toMatchObject({
        status: 'pending',
        is_paused: false,
        last_checked_at: null,
      });
    }
  });

  it('monitored_regions are all four when they are not given [7.9]', async () => {
    expect((await monitor())['monitored_regions']).toEqual(['ash', 'pdx', 'nbg', 'sin']);
    expect(REGIONS).toEqual(['ash', 'pdx', 'nbg', 'sin']);
  });

  it.each(['ash', 'pdx', 'nbg', 'sin'])(
    'monitored_regions may be %s alone [7.10]',
    async (region) => {
      const made = await monitor('http', { monitored_regions: [region] });
      expect(made['monitored_regions']).toEqual([region]);
    },
  );

  it('a region that does not exist is refused [7.10]', async () => {
    const answer = await post('/monitors', { ...REQUIRED.http, monitored_regions: ['ash', 'fra'] });
    expectStatus(answer, 422);
    const fields = Object.keys(answer.body['errors'] as object);
    expect(fields.every((field) => /^monitored_regions(\.1)?$/.test(field))).toBe(true);
  });

  it.each(PULL_TYPES)(
    'ping_url, last_heartbeat_at and heartbeat_expected_at are null on a %s monitor [6.8]',
    async (type) => {
      expect(await monitor(type)).toMatchObject({
        ping_url: null,
        last_heartbeat_at: null,
        heartbeat_expected_at: null,
      });
    },
  );

  it.each(PUSH_TYPES)(
    'the server generates ping_url of a %s monitor, and url mirrors it [6.6]',
    async (type) => {
      const [one, other] = [await monitor(type), await monitor(type)];
      expect(one['ping_url']).toMatch(/^https:\/\/up\.example\.com\/ping\/[^/?#]+$/);
      expect(one['url']).toBe(one['ping_url']);
      expect(other['ping_url']).not.toBe(one['ping_url']);
      expect((await get(`/monitors/${one.id}`)).body).toMatchObject({
        ping_url: one['ping_url'],
        url: one['ping_url'],
      });
    },
  );

  it.each(
    TYPES.flatMap((type) =>
      ALLOWED[type]
        .filter((each) => !/keyword|json/.test(each))
        .map((each) => [type, each] as const),
    ),
  )('a %s monitor may have the check type %s [7.12]', async (type, check) => {
    expect((await monitor(type, { check_types: [check] }))['check_types']).toEqual([check]);
  });

  it('an http monitor may have the check types keyword or json, with their settings [7.13]', async () => {
    const keyword = await monitor('http', {
      check_types: ['ssl', 'keyword'],
      keyword_settings: KEYWORDS,
    });
    expect(keyword['check_types']).toEqual(['ssl', 'keyword']);
    const json = await monitor('http', {
      check_types: ['json'],
      json_assertion_settings: ASSERTIONS,
    });
    expect(json['check_types']).toEqual(['json']);
  });

  it('an http monitor takes all its optional fields at once [6.4]', async () => {
    const group = await post('/groups', { name: 'All at once' });
    const fields = {
      friendly_name: 'Shop',
      monitored_regions: ['nbg', 'ash'],
      check_types: ['ssl', 'dns', 'domain', 'keyword'],
      group_id: group.body.id,
      keyword_settings: KEYWORDS,
      auth_type: 'digest',
      auth_username: 'watcher',
    };
    const made = await monitor('http', { ...fields, auth_password: 'secret' });
    expect(made).toMatchObject(fields);
  });

  it.each(
    TYPES.flatMap((type) =>
      [...CHECK_TYPES, 'none']
        .filter((each) => !ALLOWED[type].includes(each))
        .map((each) => [type, each] as const),
    ),
  )(
    'the check type is refused on a type that does not allow it: %s, %s [7.14]',
    async (type, check) => {
      const answer = await post('/monitors', { ...REQUIRED[type], check_types: [check] });
      expectStatus(answer, 422);
      const fields = Object.keys(answer.body['errors'] as object);
      expect(
        fields.every((field) => /^check_types(\.0)?$/.test(field)),
        answer.text,
      ).toBe(true);
    },
  );

  it.each(TYPES)(
    'list, create, update and get show one shape of a %s monitor; only get adds incidents and response_times [6.15]',
    async (type) => {
      const made = await monitor(type, { tags: ['shape'] });
      const shapes = [
        made,
        (await put(`/monitors/${made.id}`, { tags: ['shaped'] })).body,
        ((await get('/monitors?per_page=1')).body['data'] as object[])[0]!,
      ];
      const keys = Object.keys(made).toSorted();
      for (const shape of shapes) expect(Object.keys(shape).toSorted()).toEqual(keys);
      const read = (await get(`/monitors/${made.id}`)).body;
      expect(Object.keys(read).toSorted()).toEqual(
        [...keys, 'incidents', 'response_times'].toSorted(),
      );
      expect(read['incidents']).toEqual([]);
      expect(read['response_times']).toEqual([]);
    },
  );

  it('every type has the same keys [6.16]', async () => {
    const shapes: string[] = [];
    for (const type of TYPES)
      shapes.push(
        Object.keys(await monitor(type))
          .toSorted()
          .join(' '),
      );
    expect(new Set(shapes).size).toBe(1);
  });

  it('every field of a monitor is there [6.16]', async () => {
    expect(Object.keys(await monitor())).toEqual(
      expect.arrayContaining(
        names(`
  id monitor_type url friendly_name status check_interval check_types
  monitored_regions is_paused last_checked_at last_heartbeat_at
  heartbeat_expected_at ping_url port heartbeat_interval heartbeat_cron_expression
  heartbeat_timezone heartbeat_grace group_id keyword_settings
  json_assertion_settings auth_type auth_username http_method accepted_status_codes
  follow_redirects request_timeout request_headers request_body verify_ssl
  ssl_expiry_threshold domain_expiry_threshold slow_response_threshold
  error_text_detection failure_threshold recovery_threshold check_both_families
  heartbeat_wait_for_first_ping heartbeat_max_runtime tags depends_on created_at updated_at
  next_check_at
`),
      ),
    );
  });

  it.each(PUSH_TYPES)(
    'check_interval is null and url the ping url on a %s monitor, whatever is sent for them [6.7]',
    async (type) => {
      const made = await monitor(type, { check_interval: 5, url: 'https://example.com' });
      expect(made).toMatchObject({ check_interval: null, url: made['ping_url'] });
    },
  );

  it.each([
    ['http', { port: 443 }],
    ['ping', { port: 443 }],
    ['heartbeat', { port: 443 }],
    ['http', { heartbeat_interval: 60, heartbeat_cron_expression: '* * * * *' }],
    ['port', { heartbeat_interval: 60, heartbeat_grace: 9, heartbeat_timezone: 'Asia/Tokyo' }],
    ['heartbeat', { heartbeat_cron_expression: '* * * * *' }],
    ['cron', { heartbeat_interval: 60 }],
  ] as const)('settings of another type are ignored: %s %j [6.9]', async (type, fields) => {
    const made = await monitor(type, fields);
    for (const field of Object.keys(fields)) expect([field, made[field]]).toEqual([field, null]);
  });

  it.each(PULL_TYPES)(
    'heartbeat_timezone and heartbeat_grace are null on a %s monitor [6.8]',
    async (type) => {
      expect(await monitor(type)).toMatchObject({
        heartbeat_timezone: null,
        heartbeat_grace: null,
      });
    },
  );

  it.each(pairs(['ping', 'port', 'heartbeat', 'cron'] as const, Object.entries(HTTP_ONLY)))(
    'what only http monitors have is refused with content on a %s monitor: %j [6.10]',
    async (type, [field, value]) => {
      const answer = await post('/monitors', { ...REQUIRED[type], [field]: value });
      expectStatus(answer, 422);
      expect(Object.keys(answer.body['errors'] as object)).toContain(field);
    },
  );

  it.each(['ping', 'port', 'heartbeat', 'cron'] as const)(
    'what only http monitors have may be null on a %s monitor, and comes back null [6.11]',
    async (type) => {
      const nulls = Object.fromEntries(Object.keys(HTTP_ONLY).map((field) => [field, null]));
      expect(await monitor(type, nulls)).toMatchObject(nulls);
    },
  );

  it.each(TYPES)('group_id and tags are accepted on a %s monitor [6.12]', async (type) => {
    const group = await post('/groups', { name: `Of ${type}` });
    const made = await monitor(type, { group_id: group.body.id, tags: ['a', 'b'] });
    expect(made).toMatchObject({ group_id: group.body.id, tags: ['a', 'b'] });
  });

  it('a group_id that is not a group of the team is refused [6.13]', async () => {
    const theirs = await post('/groups', { name: 'Theirs' }, 'mallory');
    for (const group of [theirs.body.id, 999_999, 0, -1, 1.5, 'x'])
      expectRefused(await post('/monitors', { ...REQUIRED.http, group_id: group }), 'group_id');
  });

  it('an omitted check_interval takes the default that the operator set [7.8]', async () => {
    const defaults = { regions: REGIONS, checkInterval: 7.5 };
    const api = await freshApi({ defaults });
    const made = await api.call(api.alice, 'POST', '/api/v1/monitors', {
      url: 'https://a.example',
    });
    expect([made.status, made.body['check_interval']]).toEqual([201, 7.5]);
    const body = { url: 'https://a.example', check_interval: null };
    const unset = await api.call(api.alice, 'POST', '/api/v1/monitors', body);
    expect([unset.status, unset.body['check_interval']]).toEqual([201, 7.5]);
  });

  it('monitored_regions are all of the installation when they are not given [7.9]', async () => {
    const regions = ['vienna', 'oslo'];
    const api = await freshApi({ defaults: { regions, checkInterval: null } });
    expect((await api.create())['monitored_regions']).toEqual(regions);
    const body = { ...REQUIRED.http, monitored_regions: ['ash'] };
    expectStatus(await api.call(api.alice, 'POST', '/api/v1/monitors', body), 422);
  });

  it('without a default the 422 of an omitted check_interval names the setting [7.8]', async () => {
    const answer = await post('/monitors', { url: 'https://a.example' });
    expectRefused(answer, 'check_interval');
    expect(answer.text).toContain('DEFAULT_CHECK_INTERVAL');
  });

  it.each([0.5, 0.51, 1, 1.75, 59.999, 60])(
    'check_interval may be %d minutes [7.7]',
    async (minutes) => {
      expect((await monitor('http', { check_interval: minutes }))['check_interval']).toBe(minutes);
    },
  );

  it.each([0.49, 0, -1, 60.01, true, [1], {}])(
    'check_interval %j is refused [7.7]',
    async (minutes) => {
      expectRefused(
        await post('/monitors', { ...REQUIRED.http, check_interval: minutes }),
        'check_interval',
      );
    },
  );
});
