import { expect, test } from 'vitest';
import { RunningTotals } from '../../bench/running-totals.ts';
import { chosenLayouts, countsOf, LAYOUTS } from '../../bench/scale-layouts.ts';
import { growthPerSecond } from '../../bench/scale-sample.ts';
import { canCountSocketBytes, parseSocketBytes } from '../../bench/socket-bytes.ts';

test('running totals keep what has gone, and the group of what has no name any more', () => {
  const totals = new RunningTotals();
  totals.set('1', null, 1);
  totals.set('2', 'worker', 5);
  totals.set('3', 'worker', 2);
  totals.set('2', null, 6);
  expect(Object.fromEntries(totals.sums())).toEqual({ other: 1, worker: 8 });
  totals.set('1', 'api', 3);
  expect(Object.fromEntries(totals.sums())).toEqual({ api: 3, worker: 8 });
});

test('growth counts what began meanwhile from 0', () => {
  expect(growthPerSecond({ a: 10, gone: 4 }, { a: 16, b: 3 }, 2)).toEqual({ a: 3, b: 1.5 });
});

test('bytes of sockets are read from the output of ss', () => {
  const text = [
    'ESTAB 0      0      127.0.0.1:23141 127.0.0.1:40848',
    '\t cubic rtt:7.3/13.4 bytes_sent:540 bytes_acked:533 bytes_received:630 segs_out:5 ',
    'ESTAB 0      0      127.0.0.1:23141 127.0.0.1:40850',
    '\t cubic rtt:7.3/13.4 cwnd:10',
    '',
  ].join('\n');
  expect(parseSocketBytes(text)).toEqual([
    { peer: '127.0.0.1:40848', received: 630, sent: 533 },
    { peer: '127.0.0.1:40850', received: 0, sent: 0 },
  ]);
});

test('bytes of sockets are not counted without the program that reads them', async () => {
  expect(await canCountSocketBytes('no-such-program-of-sockets')).toBe(false);
});

test('layouts are chosen by name', () => {
  expect(chosenLayouts('roles,whole')).toEqual(['roles', 'whole']);
  expect(() => chosenLayouts('roles,none')).toThrow(
    'No layout named none; there are whole, whole-2, whole-4, roles, schedulers-2, regions.',
  );
  expect(countsOf(LAYOUTS.regions)).toEqual({ api: 1, scheduler: 1, worker: 1, probe: 4 });
});
