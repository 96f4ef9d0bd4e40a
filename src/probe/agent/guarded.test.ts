import { describe, expect, test } from 'vitest';
import { clientOf } from '../../../test/support/icmp-promises.ts';
import { startDnsServer, type DnsServer } from '../../../test/support/dns-server.ts';
import {
  answering,
  page,
  startServer,
  type FaultServer,
} from '../../../test/support/fault-servers.ts';
import { httpCheck, runProbe } from '../../../test/support/probing.ts';
import { systemClock } from '../../lib/clock.ts';
import type { CheckResult } from '../../model/check.ts';
import { createAddressGuard, parseAllowPrivateTargets } from '../../net/address-guard.ts';
import { createResolver } from '../../net/resolver.ts';
import type { ProbeContext } from '../contract.ts';
import { createHttpProbe } from '../http/http.ts';
import { createIcmpProbe } from '../icmp/icmp-probe.ts';
import { probePort } from '../port.ts';
import { closedAfterEach } from '../../../test/support/closing.ts';

/** The only loopback address that the guard allows; the others represent forbidden ones. */
const ALLOWED = '127.0.0.1';
const FORBIDDEN = '127.0.0.2';

const servers = closedAfterEach<{ close(): Promise<void> }>();

async function serve(host: string, answer = page('hello'), port = 0): Promise<FaultServer> {
  const server = await startServer(answering(answer), host, port);
  servers.push(server);
  return server;
}

const redirect = (location: string): Buffer =>
  Buffer.from(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`);

interface World {
  /** Addresses of each name; of several lists, each query for A gets the next one. */
  names: Record<string, string[][]>;
  context: Partial<ProbeContext>;
  dns: DnsServer;
}

async function world(names: World['names']): Promise<World> {
  const dns = await startDnsServer((name, type) => {
    const lists = names[name];
    if (lists === undefined) return 'not-found';
    if (type === 'AAAA') return 'empty';
    return { addresses: (lists.length > 1 ? lists.shift() : lists[0]) ?? [] };
  });
  servers.push(dns);
  const parsed = parseAllowPrivateTargets(ALLOWED);
  if (!parsed.ok) throw new Error(parsed.message);
  const resolver = createResolver({
    clock: systemClock,
    servers: [dns.address],
    hostsFile: '/dev/null',
    hasNetwork: () => true,
  });
  return { names, dns, context: { resolver, guard: createAddressGuard(parsed.value) } };
}

const probeHttp = createHttpProbe({
  evaluator: { evaluate: () => Promise.reject(new Error('nothing is to be searched')) },
});
const checkHttp = (url: string, { context }: World): Promise<CheckResult> =>
  runProbe(probeHttp, httpCheck(url), context);

const REFUSED = { vote: 'down', failure: { code: 'target_not_allowed' } };

const rebinding = (): World['names'] => ({ 'rebind.example': [[ALLOWED], [FORBIDDEN]] });

describe('a name whose address changes between two lookups', () => {
  test('http connects to the evaluated address, after one lookup [15.14]', async () => {
    const good = await serve(ALLOWED);
    const bad = await serve(FORBIDDEN, page('secret'), good.port);
    const there = await world(rebinding());
    const result = await checkHttp(`http://rebind.example:${good.port}/`, there);
    expect(result).toMatchObject({ vote: 'up', remoteAddress: ALLOWED });
    expect(there.dns.questions.filter((question) => question.endsWith(' A'))).toHaveLength(1);
    const later = await checkHttp(`http://rebind.example:${good.port}/`, there);
    expect(later).toMatchObject(REFUSED);
    expect([good.received.length, bad.received.length]).toEqual([1, 0]);
  });

  test('port, too', async () => {
    const good = await serve(ALLOWED);
    const bad = await serve(FORBIDDEN, page('secret'), good.port);
    const there = await world(rebinding());
    const request = {
      type: 'port',
      monitorId: 1,
      timeoutMs: 10_000,
      host: 'rebind.example',
      port: good.port,
    } as const;
    expect(await runProbe(probePort, request, there.context)).toMatchObject({
      vote: 'up',
      remoteAddress: ALLOWED,
    });
    expect(await runProbe(probePort, request, there.context)).toMatchObject(REFUSED);
    expect(bad.received).toEqual([]);
  });

  test('and ping', async () => {
    const there = await world(rebinding());
    const asked: string[] = [];
    const probePing = createIcmpProbe(
      clientOf(async (address) => {
        asked.push(address);
        return { kind: 'reply', roundTripMs: 1 };
      }),
      async () => ({ kind: 'unable', reason: 'no program' }),
    );
    const request = {
      type: 'ping',
      monitorId: 1,
      timeoutMs: 10_000,
      host: 'rebind.example',
    } as const;
    expect(await runProbe(probePing, request, there.context)).toMatchObject({ vote: 'up' });
    expect(await runProbe(probePing, request, there.context)).toMatchObject(REFUSED);
    expect(asked).toEqual([ALLOWED]);
  });

  test('a redirect target is looked up and evaluated again [15.15]', async () => {
    const first = await serve(ALLOWED, redirect('/next'));
    const bad = await serve(FORBIDDEN, page('secret'), first.port);
    const there = await world(rebinding());
    const result = await checkHttp(`http://rebind.example:${first.port}/`, there);
    expect(result).toMatchObject({
      ...REFUSED,
      failure: {
        text: 'Target rebind.example is not allowed (ALLOW_PRIVATE_TARGETS)',
      },
    });
    expect([first.received.length, bad.received.length]).toEqual([1, 0]);
  });
});

describe('a redirect is refused', () => {
  test.each([
    ['to the metadata address', 'http://169.254.169.254/latest/meta-data/'],
    ['to it as a number', 'http://2852039166/'],
    ['to it in octal', 'http://0251.0376.0251.0376/'],
    ['to it inside of IPv6', 'http://[::ffff:a9fe:a9fe]/'],
    ['to it behind NAT64', 'http://[64:ff9b::a9fe:a9fe]/'],
    ['to it in full-width digits', 'http://１６９.２５４.１６９.２５４/'],
    ['to it behind a user name', 'http://public.example@169.254.169.254/'],
    ['to it without a scheme', '//169.254.169.254/'],
    ['to it with backslashes', 'http:\\\\169.254.169.254\\'],
    ['to it by TLS', 'https://169.254.169.254/'],
    ['to a name that has it', 'http://metadata.example/'],
    ['to a name that has it among others', 'http://mixed.example:PORT/'],
    ['to all addresses of this machine', 'http://0:PORT/'],
    ['to those over IPv6', 'http://[::]:PORT/'],
    ['to another loopback address', `http://${FORBIDDEN}:PORT/`],
    ['to localhost', 'http://localhost:PORT/'],
  ])('%s', async (_name, location) => {
    const target = await serve(FORBIDDEN, page('secret'));
    const first = await serve(ALLOWED, redirect(location.replace('PORT', String(target.port))));
    const there = await world({
      'first.example': [[ALLOWED]],
      'metadata.example': [['169.254.169.254']],
      'mixed.example': [[ALLOWED, '169.254.169.254']],
    });
    const result = await checkHttp(`http://first.example:${first.port}/`, there);
    expect(result).toMatchObject(REFUSED);
    expect([first.received.length, target.received.length]).toEqual([1, 0]);
  });

  test('after a hop that was allowed', async () => {
    const last = await serve(ALLOWED, redirect('http://169.254.169.254/'));
    const first = await serve(ALLOWED, redirect(`http://next.example:${last.port}/`));
    const there = await world({ 'first.example': [[ALLOWED]], 'next.example': [[ALLOWED]] });
    expect(await checkHttp(`http://first.example:${first.port}/`, there)).toMatchObject(REFUSED);
    expect(last.received).toHaveLength(1);
  });
});
