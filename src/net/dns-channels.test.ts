import { afterAll, beforeAll, expect, test } from 'vitest';
import { startNameServer, type DnsSaid, type NameServer } from '../../test/support/dns-server.ts';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { systemClock } from '../lib/clock.ts';
import { createRecordLookup } from './dns-channels.ts';

const ANSWERS: Record<string, DnsSaid> = {
  'text.example TXT': {
    answers: [
      { type: 'TXT', name: 'text.example', data: ['one'] },
      { type: 'TXT', name: 'text.example', data: ['tw', 'o'] },
    ],
  },
  'alias.example CNAME': {
    answers: [{ type: 'CNAME', name: 'alias.example', data: 'target.example' }],
  },
  'none.example TXT': {},
  'unknown.example TXT': { rcode: 'NXDOMAIN' },
  'broken.example TXT': { rcode: 'SERVFAIL' },
  'refused.example CNAME': { rcode: 'REFUSED' },
};

let server: NameServer;
beforeAll(async () => {
  server = await startNameServer(({ name, type }) => ANSWERS[`${name} ${type}`] ?? 'silent');
});
afterAll(() => server.close());

const servers = () => [`${server.address}:${server.port}`];

test.each([
  ['text.example', 'TXT', ['one', 'two']],
  ['alias.example', 'CNAME', ['target.example']],
  ['none.example', 'TXT', []],
  ['unknown.example', 'TXT', []],
  ['broken.example', 'TXT', null],
  ['refused.example', 'CNAME', null],
] as const)('%s %s', async (name, type, values) => {
  const lookUp = createRecordLookup({ clock: systemClock, servers: servers() });
  expect(await lookUp(name, type)).toEqual(values);
});

test('a name server that is silent is given up after 5 seconds', async () => {
  const clock = createFakeClock({ now: 0 });
  const lookUp = createRecordLookup({ clock, servers: servers() });
  const asked = lookUp('silent.example', 'TXT');
  await clock.advance(5_000);
  expect(await asked).toBe(null);
});
