import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { encode } from 'dns-packet';
import { afterEach, describe, expect, test } from 'vitest';
import { record, startNameServer } from '../../../test/support/dns-server.ts';
import type { DnsHandler, DnsSaid, NameServer } from '../../../test/support/dns-server.ts';
import { systemClock } from '../../lib/clock.ts';
import { createDnsClient } from './client.ts';
import type { DnsQuestion, DnsReply, DnsServer } from './client.ts';

let server: NameServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

const client = createDnsClient({ clock: systemClock });
const QUESTION: DnsQuestion = { name: 'www.example.com', type: 'A' };
const ADDRESS = record('www.example.com', 'A', '192.0.2.1');
const FOUND = { name: 'www.example.com', type: 'A', value: '192.0.2.1' };
const SHORT_MS = 300;

async function ask(handler: DnsHandler, timeoutMs = 10_000): Promise<DnsReply> {
  server = await startNameServer(handler);
  return askAt(server, timeoutMs);
}

function askAt(
  at: DnsServer,
  timeoutMs = 10_000,
  signal = new AbortController().signal,
): Promise<DnsReply> {
  return client.ask(at, QUESTION, { recursive: true, timeoutMs, signal });
}

const sound: DnsSaid = { answers: [ADDRESS] };

describe('an answer', () => {
  test('with all its records', async () => {
    const reply = await ask(() => ({
      isAuthoritative: true,
      answers: [record('WWW.example.COM', 'CNAME', 'Web.example.net'), ADDRESS],
      authorities: [record('example.com', 'NS', 'ns1.example.com')],
      additionals: [record('ns1.example.com', 'AAAA', '2001:db8::1')],
    }));
    expect(reply).toEqual({
      state: 'answer',
      rcode: 'NOERROR',
      isAuthoritative: true,
      isTruncated: false,
      answers: [{ name: 'www.example.com', type: 'CNAME', value: 'web.example.net' }, FOUND],
      authorities: [{ name: 'example.com', type: 'NS', value: 'ns1.example.com' }],
      additionals: [{ name: 'ns1.example.com', type: 'AAAA', value: '2001:db8::1' }],
    });
    expect(server?.questions).toEqual(['www.example.com A']);
  });

  test.each(['NXDOMAIN', 'SERVFAIL', 'REFUSED'] as const)('%s', async (rcode) => {
    expect(await ask(() => ({ rcode }))).toMatchObject({ rcode, isAuthoritative: false });
  });

  test('a code with upper bits in EDNS is an error', async () => {
    const edns = { type: 'OPT', name: '.', extendedRcode: 1, options: [] } as never;
    expect(await ask(() => ({ additionals: [edns] }))).toMatchObject({ rcode: 'extended code 1' });
  });

  test('offers 1,232 bytes, and requests recursion if needed', async () => {
    const seen: object[] = [];
    await ask(({ packet, isRecursive }) => {
      const { udpPayloadSize } = packet.additionals![0] as { udpPayloadSize: number };
      seen.push({ udpPayloadSize, isRecursive });
      return sound;
    });
    const options = { timeoutMs: 10_000, signal: new AbortController().signal };
    await client.ask(server!, QUESTION, { ...options, recursive: false });
    expect(seen).toEqual([
      { udpPayloadSize: 1_232, isRecursive: true },
      { udpPayloadSize: 1_232, isRecursive: false },
    ]);
  });
});

test.each(['FORMERR', 'NOTIMP'] as const)('%s to EDNS: again without it', async (rcode) => {
  const reply = await ask(({ hasEdns }) => {
    return hasEdns ? { rcode, questions: rcode === 'FORMERR' ? [] : undefined! } : sound;
  });
  expect(reply).toMatchObject({ rcode: 'NOERROR', answers: [FOUND] });
});

describe('truncated', () => {
  const many = Array.from({ length: 300 }, (_, index) =>
    record('www.example.com', 'A', `10.0.${index >> 8}.${index & 255}`),
  );

  test('is repeated over TCP', async () => {
    const reply = await ask(({ over }) =>
      over === 'udp' ? { isTruncated: true } : { answers: many },
    );
    expect(reply).toMatchObject({ state: 'answer', rcode: 'NOERROR' });
    expect(reply.state === 'answer' && reply.answers).toHaveLength(300);
  });

  test.each<[string, DnsHandler, DnsReply['state']]>([
    ['garbage over TCP', () => ({ raw: Buffer.from('no DNS at all') }), 'unreadable'],
    ['another id over TCP', () => ({ ...sound, idOffset: 1 }), 'unreadable'],
    ['silence over TCP', () => 'silent', 'timeout'],
  ])('%s', async (_name, overTcp, state) => {
    const reply = await ask(
      (asked) => (asked.over === 'udp' ? { isTruncated: true } : overTcp(asked)),
      state === 'timeout' ? SHORT_MS : 10_000,
    );
    expect(reply).toEqual({ state });
  });

  test('TCP is cut or refused', async () => {
    const onlyUdp = await startNameServer(({ over }) =>
      over === 'udp' ? { isTruncated: true } : 'cut',
    );
    server = onlyUdp;
    expect(await askAt(onlyUdp)).toEqual({ state: 'unreachable', reason: 'ECONNRESET' });
    await onlyUdp.closeTcp();
    expect(await askAt(onlyUdp)).toEqual({ state: 'unreachable', reason: 'ECONNREFUSED' });
  });
});

describe("replies that don't match the query", () => {
  const other = record('www.example.com', 'A', '203.0.113.66');
  const forged: [string, DnsSaid][] = [
    ['another id', { answers: [other], idOffset: 1 }],
    ['another name', { answers: [other], questions: [{ name: 'example.net', type: 'A' }] }],
    ['another type', { answers: [other], questions: [{ name: 'www.example.com', type: 'MX' }] }],
    ['no question', { answers: [other], questions: [] }],
    ['garbage', { raw: Buffer.from('no DNS at all') }],
    ['nothing', { raw: Buffer.alloc(0) }],
    ['half an answer', { raw: encode({ type: 'response', answers: [other] }).subarray(0, 20) }],
  ];

  test.each(forged)('%s is passed over, and the right one still counts', async (_name, said) => {
    expect(await ask(() => [said, sound])).toMatchObject({ answers: [FOUND] });
  });

  test.each(forged)('%s alone is unreadable', async (_name, said) => {
    expect(await ask(() => said, SHORT_MS)).toEqual({ state: 'unreadable' });
  });

  test('the query sent back', async () => {
    const reply = await ask(
      ({ packet }) => ({ raw: encode({ ...packet, type: 'query' }) }),
      SHORT_MS,
    );
    expect(reply).toEqual({ state: 'unreadable' });
  });
});

test('a flood of invalid replies is not read to its end', async () => {
  const forged: DnsSaid = { questions: [{ name: 'example.net', type: 'A' }] };
  expect(await ask(() => Array.from({ length: 5 }, () => forged), 60_000)).toEqual({
    state: 'unreadable',
  });
});

test('a flood of replies with another id is ignored', async () => {
  const forged = Array.from({ length: 20 }, (): DnsSaid => ({ idOffset: 1 }));
  expect(await ask(() => [...forged, sound])).toMatchObject({ answers: [FOUND] });
});

const message = (query: { id?: number | undefined }, counts: number, rest: Buffer): Buffer => {
  const head = encode({ type: 'response', id: query.id, questions: [QUESTION] });
  head.writeUInt16BE(counts, 6);
  return Buffer.concat([head, rest]);
};

describe('hostile messages', () => {
  const owner = Buffer.from([0xc0, 0x0c]);
  const address = Buffer.from([0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 1]);

  test.each<[string, number, Buffer]>([
    ['a name that points to itself', 1, Buffer.concat([Buffer.from([0xc0, 33]), address])],
    ['a name that points ahead', 1, Buffer.concat([Buffer.from([0xc0, 60]), address])],
    ['more records than it has', 40, Buffer.concat([owner, address])],
    [
      'more records than any name has',
      501,
      Buffer.concat(Array.from({ length: 501 }, () => Buffer.concat([owner, address]))),
    ],
    [
      '10,000 records',
      10_000,
      Buffer.concat(Array.from({ length: 10_000 }, () => Buffer.concat([owner, address]))).subarray(
        0,
        65_000,
      ),
    ],
    [
      'a text longer than its record',
      1,
      Buffer.concat([owner, Buffer.from('0010000100000000000205', 'hex'), Buffer.from('ab')]),
    ],
  ])('%s', async (_name, counts, rest) => {
    const reply = await ask(({ over, packet }) => {
      return over === 'udp' ? { isTruncated: true } : { raw: message(packet, counts, rest) };
    });
    expect(reply).toEqual({ state: 'unreadable' });
  });
});

test('a lost query is sent again, and a late answer to the first counts', async () => {
  const reply = await ask(({ times }) => (times === 0 ? 'silent' : sound), 1_000);
  expect(reply).toMatchObject({ answers: [FOUND] });
  expect(server?.questions).toHaveLength(2);
});

test('without a reply it ends at the time limit', async () => {
  expect(await ask(() => 'silent', SHORT_MS)).toEqual({ state: 'timeout' });
});

test('an answer that waits to be read at the time limit counts [18.10]', async () => {
  const limitMs = 50;
  const reply = await ask(() => {
    // Nothing of this process runs until the limit is over: the answer is sent, and not read.
    const endsAt = performance.now() + 2 * limitMs;
    while (performance.now() < endsAt);
    return sound;
  }, limitMs);
  expect(reply).toMatchObject({ state: 'answer' });
});

test('the signal ends it, before and during the query', async () => {
  const controller = new AbortController();
  server = await startNameServer(() => {
    controller.abort('deadline');
    return 'silent';
  });
  expect(await askAt(server, 60_000, controller.signal)).toEqual({ state: 'timeout' });
  expect(await askAt(server, 60_000, controller.signal)).toEqual({ state: 'timeout' });
  expect(server.questions).toHaveLength(1);
});

describe('unreachable', () => {
  test('nobody listens', async () => {
    const placeholder = createServer();
    await new Promise<void>((resolve) => void placeholder.listen(0, '127.0.0.1', resolve));
    const { port } = placeholder.address() as AddressInfo;
    await new Promise((resolve) => void placeholder.close(resolve));
    const reply = await askAt({ address: '127.0.0.1', port });
    expect(reply).toEqual({ state: 'unreachable', reason: 'ECONNREFUSED' });
  });

  test.each([
    [{ address: '127.0.0.1', port: 0 }, 'ERR_SOCKET_BAD_PORT'],
    [{ address: '255.255.255.255', port: 53 }, expect.any(String)],
  ])('%j', async (at, reason) => {
    expect(await askAt(at, SHORT_MS)).toEqual({ state: 'unreachable', reason });
  });
});

const sockets = (): string[] =>
  process.getActiveResourcesInfo().filter((name) => /UDP|TCPSocket/.test(name));

test('no socket stays open', async () => {
  const before = sockets().length;
  const controller = new AbortController();
  const asked = Array.from({ length: 20 }, () =>
    askAt({ address: '127.0.0.1', port: 9 }, 60_000, controller.signal),
  );
  controller.abort('deadline');
  await Promise.all(asked);
  for (let turn = 0; turn < 100 && sockets().length > before; turn++) {
    await new Promise((resolve) => void setImmediate(resolve));
  }
  expect(sockets().length).toBeLessThanOrEqual(before);
});
