import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../../src/model/check.ts';
import type { AnyRequest } from '../../src/monitor-types/registry.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { checkResult, inspectNothing, REGIONS } from '../support/rounds.ts';
import {
  at,
  client,
  expectRefused,
  expectStatus,
  freshApi,
  names,
  NOW,
  SECOND,
  type Json,
} from '../support/client.ts';

const { open, get } = client();

const URL_KEYS = names(
  'url checked_at verdict reachable_regions total_regions vantage_points results',
).toSorted();
const RESULT_KEYS = names(`
  region name vantage status status_code response_time_ms dns_ms tcp_ms tls_ms ttfb_ms error
`).toSorted();

const path = (query: string) => `/check-url?${query}`;
const TARGET = 'url=https://example.com/a%3Fb%3D1';

const BLOCKED: CheckResult = checkResult('down', {
  failure: { code: 'target_not_allowed', text: 'Target not allowed: 10.0.0.1 is private' },
});

/** One letter a region: `u` up, `d` down, `b` blocked, `?` unknown. */
async function script(votes: string): Promise<void> {
  const { setTarget } = await open();
  setTarget((region) => {
    const letter = votes[REGIONS.indexOf(region)];
    if (letter === 'b') return BLOCKED;
    return checkResult(letter === 'u' ? 'up' : letter === 'd' ? 'down' : 'unknown');
  });
}

async function results(query = TARGET): Promise<Json[]> {
  const answer = await get(path(query));
  expectStatus(answer, 200);
  return answer.body['results'] as Json[];
}

describe('the check of a URL', () => {
  it('GET /check-url answers what each region sees, and a verdict [10.1]', async () => {
    await script('uuuu');
    const { status, body } = await get(path(TARGET));
    expect(status).toBe(200);
    expect(Object.keys(body).toSorted()).toEqual(URL_KEYS);
    expect(body).toMatchObject({
      url: 'https://example.com/a?b=1',
      checked_at: at(0),
      verdict: 'up',
      reachable_regions: 4,
      total_regions: 4,
    });
    for (const each of body['results'] as Json[])
      expect(Object.keys(each).toSorted()).toEqual(RESULT_KEYS);
  });

  it('has the response in detail where that is asked for, without secrets [10.15]', async () => {
    const { setTarget } = await open();
    const asked: object[] = [];
    setTarget((_, request) => {
      asked.push(request);
      return checkResult('up', {
        remoteAddress: '192.0.2.7',
        evidence: {
          statusLine: 'HTTP/1.1 200 OK',
          headers: { server: 'nginx' },
          body: 'Hello',
          redirects: ['https://example.com/b'],
          tls: {
            protocol: 'TLSv1.3',
            subject: 'example.com',
            issuer: 'R3',
            validFrom: null,
            validTo: '2030-03-01T00:00:00.000Z',
            cipher: null,
            chain: [],
          },
        },
      });
    });
    const [result] = await results(`${TARGET}&details=true`);
    expect(result!['details']).toEqual({
      remote_address: '192.0.2.7',
      redirects: ['https://example.com/b'],
      headers: { server: 'nginx' },
      certificate: {
        subject: 'example.com',
        issuer: 'R3',
        valid_to: '2030-03-01T00:00:00.000Z',
      },
    });
    expect(asked).toEqual(asked.map(() => expect.objectContaining({ capturesAll: true })));
    expect((await results())[0]).not.toHaveProperty('details');
  });

  it('each result names its vantage, and the answer counts them [10.2]', async () => {
    await script('uuuu');
    const { body } = await get(path(TARGET));
    expect(body['vantage_points']).toBe(1);
    expect((body['results'] as Json[]).map(({ vantage }) => vantage)).toEqual(
      Array(4).fill('office'),
    );
  });

  it('the regions have the names of the installation [14.15]', async () => {
    await script('uuuu');
    expect((await results()).map(({ region, name }) => [region, name])).toEqual([
      ['ash', 'Ashburn'],
      ['pdx', 'Portland'],
      ['nbg', 'Nuremberg'],
      ['sin', 'Singapore'],
    ]);
  });

  it('the times are those of the phases, in milliseconds to one decimal [10.5]', async () => {
    const { setTarget } = await open();
    const timings = { dnsMs: 1.456, tcpMs: 2.04, tlsMs: 3, ttfbMs: 4, totalMs: 11 };
    setTarget(() => checkResult('up', { responseTimeMs: 10.512, statusCode: 204, timings }));
    expect((await results())[0]).toMatchObject({
      status_code: 204,
      response_time_ms: 10.5,
      dns_ms: 1.5,
      tcp_ms: 2,
      tls_ms: 3,
      ttfb_ms: 4,
      error: null,
    });
  });

  it('a region is online, offline, blocked where the target is not allowed, or an error where it can not tell [10.3]', async () => {
    await script('udb?');
    expect((await results()).map(({ status, error }) => [status, error])).toEqual([
      ['online', null],
      ['offline', expect.stringMatching(/^Connection refused/)],
      ['blocked', expect.stringMatching(/not allowed/)],
      ['error', expect.stringMatching(/\w+ \w+/)],
    ]);
  });

  it.each([
    ['uuuu', 'up', 4],
    ['uu??', 'up', 2],
    ['uudd', 'partial', 2],
    ['ubu?', 'partial', 2],
    ['dddd', 'down', 0],
    ['bb??', 'down', 0],
    ['d???', 'down', 0],
    ['????', 'unknown', 0],
  ])('regions that see %s make the verdict %s [10.4]', async (votes, verdict, reachable) => {
    await script(votes);
    const { body } = await get(path(TARGET));
    expect(body).toMatchObject({ verdict, reachable_regions: reachable, total_regions: 4 });
  });

  it.each([
    ['regions[]=nbg&regions[]=ash'],
    ['regions%5B%5D=ash&regions%5B%5D=nbg'],
    ['regions=ash&regions=nbg'],
    ['regions=nbg,ash'],
    ['regions[0]=ash&regions[1]=nbg'],
  ])('only the regions that are asked for look: %s [10.6]', async (query) => {
    await script('uddd');
    const seen = await get(path(`${TARGET}&${query}`));
    expect((seen.body['results'] as Json[]).map(({ region }) => region)).toEqual(['ash', 'nbg']);
    expect(seen.body).toMatchObject({ verdict: 'partial', total_regions: 2 });
  });

  it('without regions, or with an empty list, all of them look [10.6]', async () => {
    await script('uuuu');
    for (const query of ['', 'regions[]=', 'regions=', 'regions=,'])
      expect(await results(`${TARGET}&${query}`), query).toHaveLength(4);
  });

  it.each(['moon', 'ash,moon', 'ASH', 'ash,ash', '%20'])(
    'regions=%s is refused [10.7]',
    async (regions) => {
      expectRefused(await get(path(`${TARGET}&regions=${regions}`)), 'regions');
      const repeated = regions
        .split(',')
        .map((code) => `regions[]=${code}`)
        .join('&');
      expectRefused(await get(path(`${TARGET}&${repeated}`)), 'regions');
    },
  );

  it('timeout_seconds is 1 to 30, default 15 [10.8]', async () => {
    const { checks } = await open();
    await script('uuuu');
    for (const [query, seconds] of [
      ['', 15],
      ['&timeout_seconds=', 15],
      ['&timeout_seconds=1', 1],
      ['&timeout_seconds=30', 30],
    ] as const) {
      const before = checks.length;
      await results(TARGET + query);
      const asked = checks.slice(before).map(({ request }) => request.timeoutMs);
      expect(asked).toEqual(Array(4).fill(seconds * SECOND));
    }
    for (const wrong of ['0', '31', '1.5', '-1', 'x', '1e1'])
      expectRefused(await get(path(`${TARGET}&timeout_seconds=${wrong}`)), 'timeout_seconds');
  });

  it('each region asks by GET, follows redirects, verifies the certificate and sends nothing of ours [10.9]', async () => {
    const { checks } = await open();
    await script('uuuu');
    const before = checks.length;
    await results();
    const asked = checks.slice(before);
    expect(asked.map(({ region }) => region)).toEqual(REGIONS);
    for (const { request } of asked) {
      expect(request).toEqual({
        type: 'http',
        monitorId: 0,
        timeoutMs: 15 * SECOND,
        url: 'https://example.com/a?b=1',
        method: 'GET',
        headers: {},
        body: null,
        acceptedStatusCodes: null,
        followRedirects: true,
        errorTextDetection: false,
      } satisfies AnyRequest);
    }
  });

  it.each([
    ['', 'is missing'],
    ['url=', 'is empty'],
    ['url=example.com', 'has no scheme'],
    ['url=ftp://example.com/', 'is not http'],
    ['url=https://user:pass@example.com/', 'has credentials'],
    ['url=https://', 'has no host'],
    ['url=https://example.com/%0A', 'has a control character'],
    [`url=https://example.com/${'x'.repeat(2048)}`, 'is too long'],
    ['url=http://169.254.169.254/', 'aims at an address that is refused'],
    ['url=https://example.com&url=https://example.org', 'is there twice'],
  ])('a url is refused as that of a monitor: %s [10.10]', async (query) => {
    expectRefused(await get(path(query)), 'url');
  });

  it('nothing is checked when the query is refused, and nothing is ever stored [10.11]', async () => {
    const { checks, database } = await open();
    const count = async () =>
      (
        await Promise.all(
          (['monitor', 'monitor_state', 'event', 'incident', 'inspection'] as const).map((table) =>
            database.read.selectFrom(table).selectAll().execute(),
          ),
        )
      ).flat().length;
    const [stored, before] = [await count(), checks.length];
    await get(path(`${TARGET}&regions=moon`));
    expect(checks).toHaveLength(before);
    await script('dddd');
    await results();
    expect(await count()).toBe(stored);
  });

  it('all regions are asked at once, and the answer comes within the time-out and 2 s [10.12]', async () => {
    const clock = createFakeClock({ now: NOW });
    let asked = 0;
    const opened = freshApi({
      clock,
      bus: {
        check: (_region, { timeoutMs }) => {
          asked += 1;
          // The probe is lost: the bus says so a second after the deadline.
          return new Promise((resolve) => {
            clock.after(timeoutMs + SECOND, () => resolve(checkResult('unknown')));
          });
        },
        inspect: inspectNothing,
        lastSeen: () => clock.now(),
        vantageOf: () => 'office',
        probesOf: () => [],
      },
    });
    let done = false;
    const asking = client(() => opened).get(path(`${TARGET}&timeout_seconds=30`));
    void asking.then(() => (done = true));
    while (clock.pending().timers < 4) await clock.settle();
    expect(asked).toBe(4);
    await clock.runUntil(() => done, 32 * SECOND);
    expect((await asking).body).toMatchObject({ verdict: 'unknown', reachable_regions: 0 });
  });
});
