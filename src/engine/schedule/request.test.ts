import { describe, expect, test } from 'vitest';
import { hostOf } from '../../lib/url-host.ts';
import { http, type HttpCheckRequest } from '../../monitor-types/http.ts';
import type { MonitorSettings } from '../../monitor-types/fields.ts';
import { defaultSettings } from '../../monitor-types/settings.ts';
import { checkRequest, intervalMsOf } from './request.ts';

const MONITOR = { id: 5, type: 'http' };

const settings = (fields: Partial<MonitorSettings> = {}): MonitorSettings => ({
  ...defaultSettings(http, { regions: ['ash'], checkInterval: 5 }),
  url: 'https://Example.org/Path?b=2&a=1',
  ...fields,
});

describe('the request of a monitor', () => {
  test('digest waits for the challenge, and sends nothing that was given by hand', () => {
    const digest = settings({
      auth_type: 'digest',
      request_headers: { authorization: 'by hand', 'X-Key': 'k' },
    });
    const credentials = { auth_username: 'u', auth_password: 'p' };
    expect(checkRequest(MONITOR, { ...digest, ...credentials })).toMatchObject({
      headers: { 'X-Key': 'k' },
      digest: { username: 'u', password: 'p' },
    });
    expect(checkRequest(MONITOR, digest)).not.toHaveProperty('digest');
  });

  test.each([
    ['https://example.org', ['ssl'], true],
    ['HTTPS://example.org', ['dns', 'ssl'], true],
    ['http://example.org', ['ssl'], undefined],
    ['https://example.org', ['dns'], undefined],
  ] as const)('the certificate of %s with %j is judged apart: %s', (url, check_types, expected) => {
    const fields = settings({ url, check_types: [...check_types] });
    const request = checkRequest(MONITOR, fields) as HttpCheckRequest;
    expect(request.isCertificateInspected).toBe(expected);
  });

  test('content is handed on', () => {
    const assertions = [{ path: 'a', operator: 'exists' as const }];
    const fields = settings({ check_types: ['json'], json_assertion_settings: { assertions } });
    expect(checkRequest(MONITOR, fields)).toMatchObject({ content: { kind: 'json', assertions } });
  });

  test('http: everything a probe needs, the url exactly as it was written', () => {
    const fields = settings({
      request_headers: { 'X-Key': 'secret' },
      request_body: '{"a":1}',
      http_method: 'POST',
      accepted_status_codes: ['200', '3xx'],
      follow_redirects: false,
      verify_ssl: false,
      error_text_detection: true,
    });
    expect(checkRequest(MONITOR, fields)).toEqual({
      monitorId: 5,
      type: 'http',
      timeoutMs: 30_000,
      url: 'https://Example.org/Path?b=2&a=1',
      method: 'POST',
      headers: { 'X-Key': 'secret' },
      body: '{"a":1}',
      acceptedStatusCodes: ['200', '3xx'],
      followRedirects: false,
      acceptsAnyCertificate: true,
      errorTextDetection: true,
    });
  });

  test.each([
    [
      'basic',
      { username: 'Aladdin', password: 'open sesame' },
      'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==',
    ],
    // The example of RFC 7617, section 2.1.
    ['basic', { username: 'test', password: '123£' }, 'Basic dGVzdDoxMjPCow=='],
    ['bearer', { username: 'a token', password: 'unused' }, 'Bearer a token'],
    [null, null, 'by hand'],
    // The stored ones are missing.
    ['basic', null, 'by hand'],
  ] as const)('auth_type %s with %j sends %j [16.12]', (auth_type, credentials, wanted) => {
    const headers = { AUTHORIZATION: 'by hand', 'X-Key': 'secret' };
    const fields = settings({
      auth_type,
      auth_username: credentials?.username ?? null,
      auth_password: credentials?.password ?? null,
      request_headers: headers,
    });
    const request = checkRequest(MONITOR, fields);
    const sent = Object.entries((request as HttpCheckRequest).headers);
    const authorizations = sent.filter(([name]) => name.toLowerCase() === 'authorization');
    expect(authorizations.map(([, value]) => value)).toEqual([wanted]);
    expect(sent).toContainEqual(['X-Key', 'secret']);
    expect(headers).toEqual({ AUTHORIZATION: 'by hand', 'X-Key': 'secret' });
  });

  test('ping and port: a host only', () => {
    const ping = checkRequest({ id: 5, type: 'ping' }, settings({ url: '[2001:db8::1]' }));
    expect(ping).toEqual({ monitorId: 5, type: 'ping', timeoutMs: 30_000, host: '2001:db8::1' });
    const port = checkRequest(
      { id: 5, type: 'port' },
      settings({ url: 'tcp://db.example', port: 5432 }),
    );
    expect(port).toMatchObject({ type: 'port', host: 'db.example', port: 5432 });
  });

  test.each([
    ['the time-out', 30, 5, undefined, 30_000],
    ['90 % of the interval', 60, 0.5, undefined, 27_000],
    ['a time-out below a second', 0.25, 0.5, undefined, 250],
    ['the caller', 30, 5, 20_000, 20_000],
    ['the time-out, without an interval', 30, null, undefined, 30_000],
  ])(
    'the deadline is bound by %s [15.1]',
    (_, request_timeout, check_interval, maximumMs, wanted) => {
      const request = checkRequest(
        MONITOR,
        settings({ request_timeout, check_interval }),
        maximumMs,
      );
      expect(request.timeoutMs).toBe(wanted);
    },
  );

  test.each([
    ['a push monitor', 'heartbeat'],
    ['a port monitor without a port', 'port'],
    ['a type that does not exist', 'pigeon'],
  ])('%s has none', (_, type) => {
    expect(() => checkRequest({ id: 5, type }, settings())).toThrow();
  });

  test('intervals are whole milliseconds', () => {
    expect([0.5, 1, 7.3, 60].map(intervalMsOf)).toEqual([30_000, 60_000, 438_000, 3_600_000]);
  });
});

test.each([
  ['example.org', 'example.org'],
  [' example.org ', 'example.org'],
  ['my_host.internal', 'my_host.internal'],
  ['localhost', 'localhost'],
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8::1', '2001:db8::1'],
  ['::1', '::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:53', '2001:db8::1'],
  ['example.org:8080', 'example.org'],
  ['https://example.org:8443/path?q=1', 'example.org'],
  ['tcp://example.org:25', 'example.org'],
  ['ssh://[2001:db8::1]:22', '2001:db8::1'],
  ['münchen.example', 'xn--mnchen-3ya.example'],
  ['tcp://münchen.example', 'xn--mnchen-3ya.example'],
  ['http://user:word@example.org/', 'example.org'],
  ['', null],
  ['http://', null],
  ['two words', null],
  ['[::1', null],
])('the host of %j is %j', (url, host) => {
  expect(hostOf(url)).toBe(host);
});
