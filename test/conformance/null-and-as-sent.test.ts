import { describe, expect, it } from 'vitest';
import {
  ASSERTIONS,
  client,
  expectStatus,
  KEYWORDS,
  names,
  TYPES,
  type MonitorType,
} from '../support/client.ts';

const { get, put, monitor } = client();

/** Every optional field of a monitor, with a value that an http monitor takes. */
const OPTIONAL = {
  friendly_name: 'Shop',
  check_types: ['dns'],
  monitored_regions: ['sin', 'ash'],
  group_id: null,
  depends_on: [],
  keyword_settings: KEYWORDS,
  json_assertion_settings: ASSERTIONS,
  auth_type: 'basic',
  auth_username: 'watcher',
  auth_password: 'secret',
  http_method: 'POST',
  accepted_status_codes: ['2xx', '404', '500-503', 401],
  follow_redirects: false,
  request_timeout: 10,
  request_headers: { 'X-Shop': 'one' },
  request_body: 'a=b',
  verify_ssl: false,
  ssl_expiry_threshold: 7,
  domain_expiry_threshold: 60,
  slow_response_threshold: 800,
  error_text_detection: true,
  failure_threshold: 4,
  recovery_threshold: 3,
  check_both_families: true,
  tags: ['shop'],
  notification_settings: { enabled: false, channels: { email: [] } },
};

const PUSH_OPTIONAL = {
  heartbeat_timezone: 'Europe/Berlin',
  heartbeat_grace: 5,
  heartbeat_wait_for_first_ping: true,
  heartbeat_max_runtime: 60,
};

/** A monitor without what differs between any two. */
function settingsOf(body: Record<string, unknown>) {
  const differs = new Set(names('id url ping_url created_at updated_at incidents response_times'));
  return Object.fromEntries(Object.entries(body).filter(([name]) => !differs.has(name)));
}

const nulls = (fields: object) =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, null]));

describe('null, unknown fields and what comes back', () => {
  it.each(Object.keys(OPTIONAL))('"" in the optional field %s means null [1.11]', async (field) => {
    const empty = await monitor('http', { [field]: '' });
    const unset = await monitor('http', { [field]: null });
    expect(settingsOf(empty)).toEqual(settingsOf(unset));
  });

  it.each(Object.entries(OPTIONAL))(
    '"" and null unset %s on update [1.12]',
    async (field, value) => {
      const needed = field.startsWith('auth_') ? {} : { [field]: value };
      const bare = settingsOf(await monitor());
      const extra = field === 'request_body' ? { http_method: 'POST' } : {};
      for (const nothing of ['', null]) {
        const { id } = await monitor('http', { ...needed, ...extra });
        const answer = await put(`/monitors/${id}`, { [field]: nothing });
        expectStatus(answer, 200);
        expect(settingsOf(answer.body)).toEqual({ ...bare, ...extra });
      }
    },
  );

  it.each(Object.entries(PUSH_OPTIONAL))(
    '"" and null unset %s of a push monitor on create and update [1.13]',
    async (field, value) => {
      const bare = settingsOf(await monitor('heartbeat'));
      for (const nothing of ['', null]) {
        expect(settingsOf(await monitor('heartbeat', { [field]: nothing }))).toEqual(bare);
        const { id } = await monitor('heartbeat', { [field]: value });
        const answer = await put(`/monitors/${id}`, { [field]: nothing });
        expect(settingsOf(answer.body), answer.text).toEqual(bare);
      }
    },
  );

  it.each(TYPES)(
    'an explicit null is accepted for every optional field of a %s monitor on create [1.15]',
    async (type) => {
      const fields = nulls(optionalOf(type));
      expect(settingsOf(await monitor(type, fields))).toEqual(settingsOf(await monitor(type)));
    },
  );

  it.each(TYPES)(
    'an explicit null is accepted for every optional field of a %s monitor on update [1.15]',
    async (type) => {
      const bare = await monitor(type);
      const fields = nulls(optionalOf(type));
      const answer = await put(`/monitors/${bare.id}`, fields);
      expectStatus(answer, 200);
      expect(settingsOf(answer.body)).toEqual(settingsOf(bare));
    },
  );

  it.each(TYPES)(
    'optional fields of a %s monitor that were never set are null [1.21]',
    async (type) => {
      const made = await monitor(type);
      const never: string[] = [
        'request_headers',
        'request_body',
        'slow_response_threshold',
        'accepted_status_codes',
        'heartbeat_max_runtime',
        'group_id',
        'auth_type',
        'auth_username',
        'keyword_settings',
        'json_assertion_settings',
        'notification_settings',
      ];
      if (type !== 'heartbeat' && type !== 'cron') never.push('friendly_name');
      if (type !== 'port') never.push('port');
      if (type !== 'heartbeat') never.push('heartbeat_interval');
      if (type !== 'cron') never.push('heartbeat_cron_expression');
      for (const field of never) expect([field, made[field]]).toEqual([field, null]);
    },
  );

  it.each(TYPES)(
    'what a read of a %s monitor answers can be put back, and changes nothing [1.23, 6.4]',
    async (type) => {
      const fields =
        type === 'http'
          ? { ...OPTIONAL, check_types: ['dns', 'keyword'], json_assertion_settings: null }
          : { tags: ['x'] };
      const { id, ...made } = await monitor(type, fields);
      const { auth_password: _never, ...visible } = { auth_password: null, ...fields };
      expect(made).toMatchObject(visible);
      const { body } = await get(`/monitors/${id}`);
      const answer = await put(`/monitors/${id}`, body);
      expectStatus(answer, 200);
      expect((await get(`/monitors/${id}`)).body).toEqual(body);
    },
  );
});

/** Every field that a monitor of that type does not require, those of other types included. */
function optionalOf(type: MonitorType): object {
  const isPush = type === 'heartbeat' || type === 'cron';
  const { friendly_name, ...optional } = OPTIONAL;
  return {
    ...optional,
    ...PUSH_OPTIONAL,
    ...(!isPush && { friendly_name }),
    ...(type !== 'port' && { port: 1 }),
    ...(type !== 'heartbeat' && { heartbeat_interval: 60 }),
    ...(type !== 'cron' && { heartbeat_cron_expression: '* * * * *' }),
    ...(isPush && { url: 'x', check_interval: 1 }),
  };
}
