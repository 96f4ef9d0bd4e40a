import { describe, expect, test } from 'vitest';
import { hostOf } from '../../lib/url-host.ts';
import type { HttpCheckRequest } from '../../model/check.ts';
import { checkRequest, intervalMsOf } from './request.ts';
import type { CheckFields } from './request.ts';

const row = (fields: Partial<CheckFields> = {}): CheckFields => ({
  id: 5,
  type: 'http',
  url: 'https://Example.org/Path?b=2&a=1',
  port: null,
  check_interval: 5,
  http_method: 'GET',
  accepted_status_codes: null,
  follow_redirects: 1,
  request_timeout: 30,
  verify_ssl: 1,
  error_text_detection: 0,
  auth_type: null,
  check_types: '[]',
  ...fields,
});

const NOTHING = { headers: {}, body: null, credentials: null, content: null };

describe('the request of a monitor', () => {
  test('digest waits for the challenge, and sends nothing that was given by hand', () => {
    const credentials = { username: 'u', password: 'p' };
    const opened = { ...NOTHING, headers: { authorization: 'by hand', 'X-Key': 'k' }, credentials };
    expect(checkRequest(row({ auth_type: 'digest' }), opened)).toMatchObject({
      headers: { 'X-Key': 'k' },
      digest: credentials,
    });
    const missing = checkRequest(row({ auth_type: 'digest' }), NOTHING);
    expect(missing).not.toHaveProperty('digest');
  });

  test.each([
    ['https://example.org', '["ssl"]', true],
    ['HTTPS://example.org', '["dns","ssl"]', true],
    ['http://example.org', '["ssl"]', undefined],
    ['https://example.org', '["dns"]', undefined],
  ])('the certificate of %s with %s is judged apart: %s', (url, check_types, expected) => {
    const request = checkRequest(row({ url, check_types }), NOTHING) as HttpCheckRequest;
    expect(request.isCertificateInspected).toBe(expected);
  });

  test('content is handed on', () => {
    const content = { kind: 'json' as const, assertions: [] };
    expect(checkRequest(row(), { ...NOTHING, content })).toMatchObject({ content });
  });

  test('http: everything a probe needs, the url exactly as it was written', () => {
    const opened = { ...NOTHING, headers: { 'X-Key': 'secret' }, body: '{"a":1}' };
    const fields = {
      http_method: 'POST',
      accepted_status_codes: '["200","3xx"]',
      follow_redirects: 0,
      verify_ssl: 0,
      error_text_detection: 1,
    };
    expect(checkRequest(row(fields), opened)).toEqual({
      monitorId: 5,
      type: 'http',
      timeoutMs: 30_000,
      url: 'https://Example.org/Path?b=2&a=1',
      method: 'POST',
      headers: { 'X-Key': 'secret' },
      body: '{"a":1}',
      acceptedStatusCodes: ['200', '3xx'],
      followRedirects: false,
      verifySsl: false,
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
  ])('auth_type %s with %j sends %j [16.12]', (auth_type, credentials, wanted) => {
    const headers = { AUTHORIZATION: 'by hand', 'X-Key': 'secret' };
    const request = checkRequest(row({ auth_type }), {
      ...NOTHING,
      headers,
      credentials,
    });
    const sent = Object.entries((request as { headers: object }).headers);
    const authorizations = sent.filter(([name]) => name.toLowerCase() === 'authorization');
    expect(authorizations.map(([, value]) => value)).toEqual([wanted]);
    expect(sent).toContainEqual(['X-Key', 'secret']);
    expect(headers).toEqual({ AUTHORIZATION: 'by hand', 'X-Key': 'secret' });
  });

  test('ping and port: a host only', () => {
    const ping = checkRequest(row({ type: 'ping', url: '[2001:db8::1]' }), NOTHING);
    expect(ping).toEqual({ monitorId: 5, type: 'ping', timeoutMs: 30_000, host: '2001:db8::1' });
    const port = checkRequest(row({ type: 'port', url: 'tcp://db.example', port: 5432 }), NOTHING);
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
      const request = checkRequest(row({ request_timeout, check_interval }), NOTHING, maximumMs);
      expect(request.timeoutMs).toBe(wanted);
    },
  );

  test.each([
    ['a push monitor', { type: 'heartbeat' }],
    ['a port monitor without a port', { type: 'port', port: null }],
    ['a column that holds no JSON', { accepted_status_codes: '[' }],
  ])('%s has none', (_, fields) => {
    expect(() => checkRequest(row(fields), NOTHING)).toThrow();
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
