import type { HttpCheckRequest } from '../../monitor-types/http.ts';
import { describe, expect, test } from 'vitest';
import { MONITOR_COLUMNS, STATE_COLUMNS } from '../../../test/support/monitor-rows.ts';
import type { ScheduledMonitorRow } from '../../store/engine/shards.ts';
import { planOf } from './round.ts';

/** Opens what begins with `sealed:`. */
const secrets = {
  of: () => ({
    open(text: string) {
      if (!text.startsWith('sealed:')) throw new Error('No key fits.');
      return text.slice('sealed:'.length);
    },
  }),
};

const row = (fields: Partial<ScheduledMonitorRow>): ScheduledMonitorRow => ({
  ...MONITOR_COLUMNS,
  ...STATE_COLUMNS,
  id: 7,
  run_at: null,
  ...fields,
});

const planned = (fields: Partial<ScheduledMonitorRow>) =>
  planOf(row(fields), secrets, new Map()).request;

const SIGNED_IN = {
  auth_type: 'basic',
  auth_username: 'sealed:Aladdin',
  auth_password: 'sealed:open sesame',
};

describe('the request of a plan', () => {
  test('holds the secrets, opened', () => {
    const request = planned({
      ...SIGNED_IN,
      request_headers: 'sealed:{"X-Key":"k","authorization":"by hand"}',
      request_body: 'sealed:text',
    });
    expect(request).toMatchObject({ body: 'text' });
    expect((request as HttpCheckRequest).headers).toEqual({
      'X-Key': 'k',
      Authorization: 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==',
    });
  });

  test('names the team whose share of the probe it uses', () => {
    expect(planned({ team_id: 12 })).toMatchObject({ monitorId: 7, teamId: 12 });
  });

  test('digest waits for a challenge', () => {
    const request = planned({ ...SIGNED_IN, auth_type: 'digest' });
    expect(request).toMatchObject({ digest: { username: 'Aladdin', password: 'open sesame' } });
    expect((request as HttpCheckRequest).headers).not.toHaveProperty('Authorization');
  });

  test.each(['auth_username', 'auth_password', 'request_headers', 'request_body'] as const)(
    'a %s that no key opens is an error',
    (field) => {
      expect(() => planned({ ...SIGNED_IN, [field]: 'lost' })).toThrow('No key fits.');
    },
  );

  test('a column that holds no JSON is an error', () => {
    expect(() => planned({ accepted_status_codes: '[' })).toThrow();
  });
});
