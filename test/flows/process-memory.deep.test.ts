import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, expect, test, vi } from 'vitest';
import {
  addressOf,
  attackersOf,
  MIB,
  neighborWait,
  peakDuring,
  type Attackers,
} from '../support/attackers.ts';
import { ADMIN_TOKEN, createMonitor, useServices, type Service } from '../support/service.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

/** All processes together, in MiB. */
const MAX_MEMORY = 400;
/** A neighbor's request may wait that long, in milliseconds, on a machine that is busy with the attack. */
const MAX_WAIT = 10_000;

const services = useServices();
let service: Service;
let attackers: Attackers;

beforeEach(async () => {
  service = await services.start({
    DATA_DIR: await services.folder(),
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
  });
  attackers = services.use(attackersOf(service));
});

const wait = (milliseconds: number) =>
  new Promise((resolve) => void setTimeout(resolve, milliseconds));

async function expectHarmless(attack: () => Promise<void>): Promise<void> {
  let longest = 0;
  const peak = await peakDuring(service, async () => {
    await attack();
    longest = await neighborWait(service, ADMIN_TOKEN);
  });
  expect(peak).toBeLessThan(MAX_MEMORY);
  expect(longest).toBeLessThan(MAX_WAIT);
}

const head = (path: string, length: number, more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
  `Authorization: Bearer ${ADMIN_TOKEN}\r\nContent-Length: ${length}\r\n${more}\r\n`;

test('590 bodies that stop before their last byte', async () => {
  const body = Buffer.alloc(MIB - 1, '[');
  await expectHarmless(async () => {
    const sent = Array.from({ length: 590 }, (_, index) =>
      attackers.send(addressOf(index), head('/api/v1/groups', MIB), body),
    );
    await Promise.all(sent);
    await wait(3_000);
  });
});

test('10 bodies of twenty thousand pieces of a byte', async () => {
  const piece = `1\r\n[\r\n`.repeat(20_000);
  await expectHarmless(async () => {
    const chunked = head('/api/v1/groups', 0).replace(
      'Content-Length: 0',
      'Transfer-Encoding: chunked',
    );
    const sent = Array.from({ length: 10 }, (_, index) =>
      attackers.send(addressOf(index), chunked, piece),
    );
    await Promise.all(sent);
    await wait(3_000);
  });
});

test('590 bodies of pings that stop before their last byte', async () => {
  const body = Buffer.alloc(MIB - 1, 'x');
  await expectHarmless(async () => {
    const sent = Array.from({ length: 590 }, (_, index) =>
      attackers.send(addressOf(index), head('/ping/unknown-token-of-nobody', MIB), body),
    );
    await Promise.all(sent);
    await wait(3_000);
  });
});

const FAT = '"'.repeat(8_000);

async function createFatMonitors(): Promise<void> {
  const keywords = Array.from({ length: 10 }, () => ({
    phrase: '\u0001'.repeat(250),
    mode: 'must_contain',
  }));
  for (let index = 0; index < 100; index += 1) {
    await createMonitor(service, {
      url: 'http://127.0.0.1:9/',
      check_interval: 60,
      http_method: 'POST',
      request_body: '\u0001'.repeat(10_000),
      request_headers: { 'X-1': FAT, 'X-2': FAT, 'X-3': FAT },
      keyword_settings: { keywords },
    });
  }
}

test('60 lists of 14 MB that nobody reads', async () => {
  await createFatMonitors();
  const ask = `GET /api/v1/monitors?per_page=100 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ADMIN_TOKEN}\r\n\r\n`;
  await expectHarmless(async () => {
    const sent = Array.from({ length: 60 }, (_, index) => attackers.send(addressOf(index), ask));
    await Promise.all(sent);
    await wait(8_000);
  });
});

test.each([
  ['10 MiB of [', () => Buffer.alloc(10 * MIB, '[')],
  ['10 MiB of empty objects', () => Buffer.from(`[${'{},'.repeat(3_400_000)}1]`)],
  [
    '10 MiB of keys',
    () =>
      Buffer.from(
        `[${Array.from({ length: 800_000 }, (_, n) => `{"${n}":1}`)
          .join(',')
          .slice(0, 10 * MIB - 20)}`,
      ),
  ],
])('a checked page of %s', async (_name, page) => {
  const bytes = page();
  const server = createServer((_request, response) => response.end(bytes));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  services.use({
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  });
  const { port } = server.address() as AddressInfo;
  const json_assertion_settings = { assertions: [{ path: 'a', operator: 'exists' }] };
  await expectHarmless(async () => {
    for (let index = 0; index < 8; index += 1) {
      await createMonitor(service, {
        url: `http://127.0.0.1:${port}/${index}`,
        json_assertion_settings,
      });
    }
    await wait(10_000);
  });
});
