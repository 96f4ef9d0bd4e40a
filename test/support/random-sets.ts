import fc from 'fast-check';
import { CHANNEL_TYPES } from '../../src/alerting/channels/index.ts';
import type { ConfigurationDocument, ConfigurationItem } from '../../src/configuration/document.ts';

type Fields = Record<string, unknown>;

/** Each field is there or not. */
const some = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Fields> =>
  fc.record(fields, { requiredKeys: [] });

const name = fc.constantFrom(
  'Website',
  'API',
  'Größe',
  'a b',
  'Ünïcode 漢字',
  '100 %',
  '- x -',
  '🚀',
);
const tags = fc.uniqueArray(fc.constantFrom('shop', 'eu', 'b c'), { maxLength: 3 });
const secret = (value: fc.Arbitrary<string>) =>
  value.map((text) => ({ from: 'env X', value: text }));
const token = fc.stringMatching(/^[A-Za-z0-9_-]{16,40}$/);
const severities = fc.subarray(['critical', 'warning', 'info'], { minLength: 1 });
const timezone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York');
const language = fc.constantFrom('en', 'de', 'fr');

/** Up to so many of the keys. */
const keysOf = (items: readonly ConfigurationItem[], most = 3) =>
  items.length === 0
    ? fc.constant([])
    : fc.uniqueArray(fc.constantFrom(...items.map(({ key }) => key)), { maxLength: most });
const keyOf = (items: readonly ConfigurationItem[]) =>
  items.length === 0 ? fc.constant(null) : fc.constantFrom(null, ...items.map(({ key }) => key));

const ofAll = some({
  friendly_name: name,
  tags,
  is_paused: fc.boolean(),
  notification_settings: some({
    enabled: fc.boolean(),
    channels: some({ email: severities, slack: fc.constant([]) }),
    quiet_hours: fc.constant({ start: '22:00', end: '07:00', timezone: 'Europe/Berlin' }),
  }),
});
const ofPull = some({
  check_interval: fc.constantFrom(0.5, 1, 5, 60),
  monitored_regions: fc.subarray(['ash', 'pdx', 'nbg', 'sin'], { minLength: 1 }),
  request_timeout: fc.integer({ min: 1, max: 60 }),
  failure_threshold: fc.integer({ min: 1, max: 10 }),
  recovery_threshold: fc.integer({ min: 1, max: 10 }),
  slow_response_threshold: fc.constantFrom(null, 100, 60_000),
  check_both_families: fc.boolean(),
  slo: fc.constantFrom(
    null,
    { target_percent: 99.5 },
    { target_percent: 99, window_days: 7, burn_rate_alerts: true },
  ),
});
const auth = fc.oneof(
  fc.constant({}),
  fc.record({ auth_type: fc.constant('bearer'), auth_password: secret(token) }),
  fc.record({
    auth_type: fc.constantFrom('basic', 'digest'),
    auth_username: token,
    auth_password: secret(token),
  }),
);
const content = fc.oneof(
  fc.constant({}),
  fc.constant({
    keyword_settings: {
      keywords: [{ phrase: 'Welcome', mode: 'must_contain' }],
      search_target: 'text',
    },
  }),
  fc.constant({
    json_assertion_settings: {
      assertions: [{ path: 'data.0.x', operator: 'gt', value: 9_007_199 }],
    },
  }),
);
const ofHttp = some({
  accepted_status_codes: fc.constantFrom(null, [200], ['2xx', '401-404', 301]),
  follow_redirects: fc.boolean(),
  verify_ssl: fc.boolean(),
  ssl_expiry_threshold: fc.integer({ min: 1, max: 365 }),
  error_text_detection: fc.boolean(),
  http_method: fc.constantFrom('GET', 'HEAD', 'POST'),
  request_headers: fc.dictionary(
    fc.constantFrom('X-Team', 'Accept', 'X-Key'),
    fc.oneof(token, secret(token)),
  ),
});

const body = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.record({ http_method: fc.constant('POST'), request_body: secret(token) }),
  },
);

const merged = (...parts: fc.Arbitrary<Fields>[]) =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all) as Fields);

const monitor = fc
  .oneof(
    {
      weight: 3,
      arbitrary: merged(
        ofAll,
        ofPull,
        ofHttp,
        body,
        auth,
        content,
        fc.record({
          url: fc.constantFrom(
            'https://example.com',
            'http://example.com:8080/a?b=c',
            'https://bücher.example/ä',
          ),
        }),
      ),
    },
    merged(ofAll, ofPull, fc.constant({ monitor_type: 'ping', url: '198.51.100.7' })),
    merged(ofAll, ofPull, fc.constant({ monitor_type: 'port', url: 'db.example.com', port: 5432 })),
    merged(
      ofAll,
      fc.record({
        monitor_type: fc.constant('heartbeat'),
        friendly_name: name,
        heartbeat_interval: fc.integer({ min: 30, max: 2_592_000 }),
      }),
      some({
        heartbeat_grace: fc.integer({ min: 0, max: 86_400 }),
        heartbeat_wait_for_first_ping: fc.boolean(),
      }),
    ),
    merged(
      ofAll,
      fc.record({
        monitor_type: fc.constant('cron'),
        friendly_name: name,
        heartbeat_cron_expression: fc.constantFrom('0 2 * * *', '*/5 * * * 1-5'),
        heartbeat_timezone: timezone,
      }),
      some({ heartbeat_max_runtime: fc.constantFrom(null, 60) }),
    ),
  )
  .map((fields: Fields): Fields =>
    ['heartbeat', 'cron'].includes(String(fields['monitor_type']))
      ? fields
      : { check_interval: 5, ...fields },
  );

/** Channels whose examples are valid settings. */
const channel = fc
  .constantFrom(...CHANNEL_TYPES.filter(({ scopes }) => scopes.includes('team')))
  .chain(({ type, fields }) => {
    const settings = Object.entries(fields).map(([field, { secret: isSecret, example }]) => [
      field,
      isSecret ? { from: 'env X', value: String(example) } : example,
    ]);
    return merged(
      fc.constant({ type, settings: Object.fromEntries(settings) as Fields }),
      some({
        name,
        enabled: fc.boolean(),
        is_default: fc.boolean(),
        severities,
        timezone,
        quiet_hours: fc.constantFrom(null, {
          from: '22:00',
          to: '07:00',
          days: ['mon'],
          timezone: 'UTC',
          allow_critical: false,
        }),
      }),
    );
  });

const scope = (monitors: readonly ConfigurationItem[], groups: readonly ConfigurationItem[]) =>
  some({ monitors: keysOf(monitors), groups: keysOf(groups), tags });

const withKeys = (
  prefix: string,
  one: fc.Arbitrary<Fields>,
  most: number,
): fc.Arbitrary<ConfigurationItem[]> =>
  fc
    .array(one, { maxLength: most })
    .map((all) => all.map((fields, index) => ({ key: `${prefix}${index}`, ...fields })));

const window = fc
  .record({
    starts_at: fc.constantFrom('2030-02-03T02:00:00.000Z', '2030-02-03T02:00:00'),
    timezone,
    rrule: fc.constantFrom(null, 'FREQ=WEEKLY;BYDAY=SU'),
  })
  .map((fields) => ({ ...fields, name: 'Nightly', ends_at: '2030-02-03T08:00:00.000Z' }));

const page = (monitors: readonly ConfigurationItem[]) =>
  keysOf(monitors, 4).chain((keys) =>
    merged(
      fc.constant({
        name: 'Status',
        monitors: keys.map((key, index) =>
          index % 2
            ? { id: key }
            : { id: key, label: 'A', display: 'figure', show_automatic: { never: true } },
        ),
        groups: keys.length > 1 ? [{ name: 'Shop', monitors: keys.slice(1) }] : [],
      }),
      some({
        description: fc.constantFrom(null, '**Hello**'),
        language,
        timezone,
        settings: some({
          show_response_time: fc.boolean(),
          custom_css: fc.constantFrom(null, 'body { color: red; }'),
        }),
        show_automatic: fc.constantFrom({ after_minutes: 0 }, { never: true }),
        access: fc.constantFrom(
          { type: 'members' },
          { type: 'addresses', addresses: ['203.0.113.0/24'] },
          { type: 'public' },
        ),
      }),
    ),
  );

/** Teams with things of every kind that refer to each other, as sets describe them. */
export const randomSets: fc.Arbitrary<ConfigurationDocument> = fc
  .tuple(
    withKeys('g', some({ description: name, sort_order: fc.nat(99) }), 5),
    withKeys('m', monitor, 8),
    withKeys('c', channel, 3),
  )
  .chain(([groups, monitors, channels]) => {
    const named = groups.map((group, index) => ({
      ...group,
      name: `Group ${index}`,
      ...(index > 0 && index % 2 === 0 && { parent_id: groups[index - 1]!.key }),
    }));
    const withRefs = fc.tuple(
      ...monitors.map((one, index) =>
        fc
          .record({ group_id: keyOf(groups), depends_on: keysOf(monitors.slice(0, index), 2) })
          .map((references) => ({ ...one, ...references })),
      ),
    );
    return fc.record({
      name: fc.constant('all'),
      groups: fc.constant(named),
      monitors: withRefs,
      alert_channels: fc.constant(channels),
      alert_routes: withKeys(
        'r',
        merged(
          scope(monitors, groups),
          some({
            severities,
            channels: keysOf(channels),
            reminder_minutes: fc.constantFrom(null, 30),
            sort_order: fc.nat(5),
          }),
          fc.constant({
            name: 'Route',
            users: ['alice@example.com'],
            escalation: [{ after_minutes: 5, users: ['ed@example.com'] }],
          }),
        ),
        2,
      ),
      webhook_endpoints: withKeys(
        'w',
        merged(
          fc.record({
            name,
            url: secret(token.map((text) => `https://hooks.example.com/${text}`)),
          }),
          some({ severities, is_active: fc.boolean(), signing_secret: secret(token) }),
          fc.oneof(
            fc.constant({}),
            fc.record({ auth_type: fc.constant('bearer'), auth_token: secret(token) }),
          ),
        ),
        2,
      ),
      maintenance_windows: withKeys(
        'n',
        merged(
          window,
          scope(monitors, groups),
          some({
            description: fc.constantFrom(null, 'Carts are *kept*.'),
            good_rounds: fc.constantFrom(null, 3),
            announce: fc.boolean(),
          }),
        ),
        2,
      ),
      status_pages: withKeys('p', page(monitors), 2),
      reports: withKeys(
        'o',
        merged(
          some({
            monitors: keysOf(monitors),
            group_id: keyOf(groups),
            tags,
            period: fc.constantFrom('last_7_days', 'last_month'),
            frequency: fc.constantFrom('none', 'weekly'),
            recipients: fc.constant(['a@example.com']),
            timezone,
            language,
          }),
          fc.constant({ name: 'Report' }),
        ),
        2,
      ),
      walls: withKeys('w', fc.record({ name }), 2),
      update_templates: withKeys(
        't',
        merged(
          fc.constant({ name: 'Outage', state: 'investigating', text: 'We look into it.' }),
          some({ title: name }),
        ),
        2,
      ),
    });
  })
  .map((document) => document as ConfigurationDocument);
