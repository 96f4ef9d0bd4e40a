import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../../src/model/check.ts';
import type { ContentOutcome } from '../../src/model/content.ts';
import type {
  InspectionKind,
  InspectionRequest,
  InspectionResult,
  SslFacts,
} from '../../src/model/inspection.ts';
import { checkResult } from '../support/rounds.ts';
import {
  ASSERTIONS,
  at,
  client,
  expectStatus,
  KEYWORDS,
  NOW,
  SECOND,
  type Json,
} from '../support/client.ts';
import { dnsFacts, domainFacts, sslFacts } from '../support/target-facts.ts';

// What the check types of a monitor answer in a manual check, over scripted probes.

const calls = client();
const { open, post, monitor } = calls;

const DAY = 24 * 3_600_000;

const CERTIFICATE = sslFacts(NOW + 60 * DAY + SECOND);
const endingIn = (milliseconds: number): SslFacts => ({
  ...CERTIFICATE,
  certificate: { ...CERTIFICATE.certificate, validTo: NOW + milliseconds },
});
const RECORDS = dnsFacts('192.0.2.1');
const REGISTRATION = domainFacts(NOW + 200 * DAY + SECOND);

const known = (facts: object) => ({ state: 'known', facts }) as InspectionResult;
const unknown = (reason: string): InspectionResult => ({ state: 'unknown', reason });

/** What each kind of inspection finds from now on. */
async function inspections(found: Partial<Record<InspectionKind, InspectionResult>>) {
  const api = await open();
  api.setInspections(async (request) => found[request.kind] ?? unknown('No probe is running'));
}

async function target(result: CheckResult): Promise<void> {
  (await open()).setTarget(() => result);
}

/** The answer of a manual check of a new monitor with these fields. */
async function look(fields: object, type: 'http' | 'ping' | 'port' = 'http'): Promise<Json> {
  const { id } = await monitor(type, fields);
  const answer = await post(`/monitors/${id}/check`);
  expectStatus(answer, 200);
  return answer.body;
}

const requestsFor = async (run: () => Promise<unknown>): Promise<InspectionRequest[]> => {
  const api = await open();
  const before = api.inspections.length;
  await run();
  return api.inspections.slice(before);
};

const outcomesOf = (...passed: boolean[]): ContentOutcome => ({
  kind: 'keyword',
  passed: !passed.includes(false),
  outcomes: passed.map((one, index) => ({
    passed: one,
    text: `Keyword "${index}" ${one ? 'was found' : 'is missing'}`,
  })),
});

describe('manual checks', () => {
  it.each([
    ['keyword', { keyword_settings: KEYWORDS }],
    ['json', { json_assertion_settings: ASSERTIONS }],
  ])(
    '%s in a manual check is passed, with what failed and each outcome [9.16]',
    async (name, settings) => {
      await target(checkResult('up', { content: outcomesOf(true, true) }));
      expect((await look(settings))[name]).toEqual({
        passed: true,
        failures: [],
        outcomes: [
          { passed: true, text: 'Keyword "0" was found' },
          { passed: true, text: 'Keyword "1" was found' },
        ],
      });
      const failure = { code: 'keyword_missing', text: 'Keyword "1" is missing' } as const;
      const content = outcomesOf(true, false);
      await target(checkResult('down', { failure, content, responseTimeMs: 20, statusCode: 200 }));
      const { uptime, not_run, [name]: outcome } = await look(settings);
      expect(outcome).toMatchObject({ passed: false, failures: ['Keyword "1" is missing'] });
      expect(not_run).toEqual({});
      // The request succeeded.
      expect(uptime).toMatchObject({
        is_up: true,
        status: 'online',
        error: null,
        status_code: 200,
        response_time: 20,
      });
    },
  );

  it('a page that is too large for its content check has failed it [9.17]', async () => {
    const text = 'Response larger than 10 MiB, more than a content check reads';
    await target(checkResult('down', { failure: { code: 'response_too_large', text } }));
    const { uptime, keyword } = await look({ keyword_settings: KEYWORDS });
    expect(keyword).toEqual({ passed: false, failures: [text], outcomes: [] });
    expect(uptime).toMatchObject({ is_up: true, error: null });
  });

  it('the content of a request that failed has no outcome, and not_run says why [9.18]', async () => {
    await target(checkResult('down'));
    const { uptime, keyword, not_run } = await look({ keyword_settings: KEYWORDS });
    expect(keyword).toBeNull();
    expect(not_run).toEqual({ keyword: expect.stringMatching(/request failed/) });
    expect(uptime).toMatchObject({ is_up: false, error: expect.stringMatching(/refused/) });
    await target(checkResult('up'));
  });

  it('the request is the one of the rounds, with its content and its digest credentials [9.10]', async () => {
    const { checks } = await open();
    const before = checks.length;
    await look({
      keyword_settings: KEYWORDS,
      auth_type: 'digest',
      auth_username: 'user',
      auth_password: 'password',
    });
    expect(checks.slice(before)).toHaveLength(1);
    expect(checks.at(-1)!.request).toMatchObject({
      headers: {},
      digest: { username: 'user', password: 'password' },
      content: {
        kind: 'keyword',
        target: 'html',
        keywords: [{ phrase: 'Welcome', mode: 'must_contain', caseSensitive: false }],
      },
    });
  });

  it('ssl is the certificate as it is now [9.19]', async () => {
    await inspections({ ssl: known(CERTIFICATE) });
    const asked = await requestsFor(async () => {
      const { ssl, not_run } = await look({
        url: 'https://www.example.com:8443/a',
        check_types: ['ssl'],
      });
      expect(ssl).toEqual({
        valid: true,
        expires_at: at(60 * DAY + SECOND),
        days_until_expiry: 60,
        issuer: 'R11',
        subject: 'www.example.com',
        protocol: 'TLSv1.3',
        error: null,
      });
      expect(not_run).toEqual({});
    });
    expect(asked).toMatchObject([{ kind: 'ssl', host: 'www.example.com', port: 8443 }]);
  });

  it('a certificate near its end is valid, and its error tells the days that are left [9.20]', async () => {
    await inspections({ ssl: known(endingIn(9 * DAY + SECOND)) });
    const fields = { check_types: ['ssl'], ssl_expiry_threshold: 10 };
    expect((await look(fields))['ssl']).toMatchObject({
      valid: true,
      days_until_expiry: 9,
      error: expect.stringMatching(/expires in 9 days/),
    });
    const later = { check_types: ['ssl'], ssl_expiry_threshold: 5 };
    expect((await look(later))['ssl']).toMatchObject({ valid: true, error: null });
  });

  it('a certificate that is at fault is not valid [9.21]', async () => {
    await inspections({ ssl: known(endingIn(-DAY - SECOND)) });
    expect((await look({ check_types: ['ssl'] }))['ssl']).toMatchObject({
      valid: false,
      days_until_expiry: -2,
      error: expect.stringMatching(/expired/),
    });
    const fault = { code: 'tls_wrong_host', text: 'TLS certificate is for other.example' } as const;
    await inspections({ ssl: known({ ...CERTIFICATE, fault }) });
    expect((await look({ check_types: ['ssl'] }))['ssl']).toMatchObject({
      valid: false,
      error: fault.text,
    });
    const lenient = await look({ check_types: ['ssl'], verify_ssl: false });
    expect(lenient['ssl']).toMatchObject({ valid: true, error: null });
  });

  it('dns is the records as they are now, or why they can not be looked up [9.23]', async () => {
    const fields = { url: 'www.example.com', check_types: ['dns'] };
    await inspections({ dns: known(RECORDS) });
    const asked = await requestsFor(async () => {
      expect((await look(fields, 'ping'))['dns']).toEqual({
        ok: true,
        error: null,
        records: RECORDS.records,
        source: 'authoritative',
      });
    });
    expect(asked).toMatchObject([{ kind: 'dns', host: 'www.example.com' }]);
    const text = 'DNS name www.example.com not found (NXDOMAIN)';
    await inspections({ dns: { state: 'failed', failure: { code: 'dns_not_found', text } } });
    expect((await look(fields, 'port'))['dns']).toEqual({
      ok: false,
      error: text,
      records: null,
      source: null,
    });
  });

  it('domain is the registration, and whether it ends soon [9.25]', async () => {
    await inspections({ domain: known(REGISTRATION) });
    const fields = { url: 'https://www.example.co.uk/', check_types: ['domain'] };
    const asked = await requestsFor(async () => {
      expect((await look(fields))['domain']).toEqual({
        ok: true,
        error: null,
        expires_at: at(200 * DAY + SECOND),
        days_until_expiry: 200,
        registrar: REGISTRATION.registrar,
        checked_at: at(0),
      });
    });
    expect(asked).toMatchObject([{ kind: 'domain', domain: 'example.co.uk' }]);
    expect((await look({ ...fields, domain_expiry_threshold: 250 }))['domain']).toMatchObject({
      ok: false,
      error: expect.stringMatching(/example\.co\.uk expires in 200 days/),
    });
    await inspections({ domain: known({ ...REGISTRATION, expiresAt: null }) });
    expect((await look(fields))['domain']).toMatchObject({
      ok: true,
      error: null,
      expires_at: null,
      days_until_expiry: null,
    });
  });

  it.each(['ssl', 'dns', 'domain'] as const)(
    'what %s can not find out is null, and not_run says why [9.28]',
    async (kind) => {
      await inspections({ [kind]: unknown('The server did not answer') });
      const { [kind]: outcome, not_run, uptime } = await look({ check_types: [kind] });
      expect(outcome).toBeNull();
      expect(not_run).toEqual({ [kind]: expect.stringContaining('The server did not answer') });
      expect(uptime).toMatchObject({ is_up: true });
    },
  );

  it.each(['dns', 'domain'])('%s of an address never runs [9.27]', async (kind) => {
    const asked = await requestsFor(async () => {
      const { [kind]: outcome, not_run } = await look(
        { url: '192.0.2.1', check_types: [kind] },
        'ping',
      );
      expect(outcome).toBeNull();
      expect(not_run).toEqual({ [kind]: expect.stringMatching(/never runs/) });
    });
    expect(asked).toEqual([]);
  });

  it('the inspections of a target that is down are told all the same [9.29]', async () => {
    await target(checkResult('down'));
    await inspections({ ssl: known(CERTIFICATE), dns: known(RECORDS) });
    const { uptime, ssl, dns } = await look({ check_types: ['ssl', 'dns'] });
    expect(uptime).toMatchObject({ is_up: false });
    expect(ssl).toMatchObject({ valid: true });
    expect(dns).toMatchObject({ ok: true });
    await target(checkResult('up'));
  });

  it('families tells whether IPv4 and IPv6 answer, where the name has both [9.30]', async () => {
    const text = 'Connection to 2001:db8::1 port 443 timed out';
    const ipv6 = { code: 'connection_timeout', text } as const;
    await target(checkResult('up', { families: { ipv4: null, ipv6 } }));
    expect((await look({}))['uptime']).toMatchObject({
      is_up: true,
      families: { ipv4: { ok: true, error: null }, ipv6: { ok: false, error: text } },
    });
    await target(checkResult('up'));
    expect((await look({}))['uptime']).not.toHaveProperty('families');
  });
});
