import { expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { unknownResult } from '../../model/check.ts';
import { createRegions } from '../../model/regions.ts';
import { createUnprobedRounds } from './waiting-rounds.ts';

const OFFICE = { code: 'office', title: 'Office', teamId: 2 };

function setUp() {
  const clock = createFakeClock();
  const seen = new Map<string, number>();
  const ran: number[] = [];
  /** Monitors whose next round comes as soon. */
  const busy = new Set<number>();
  const rounds = createUnprobedRounds({
    bus: { lastSeen: (region) => seen.get(region) ?? null },
    regions: createRegions([{ code: 'ash', title: 'Ashburn' }], [OFFICE]),
    clock,
    repeat: (monitorId) => {
      ran.push(monitorId);
      return !busy.has(monitorId);
    },
  });
  return {
    clock,
    rounds,
    ran,
    busy,
    hear: (region: string) => void seen.set(region, clock.now()),
    /** A round of regions ash, nbg and office ends with these failures. */
    end: (monitorId: number, ...codes: Parameters<typeof unknownResult>[0][]) => {
      const results = codes.map((code, index) => ({
        ...unknownResult(code, 'for a test'),
        region: ['ash', 'nbg', 'office'][index]!,
        checkedAt: clock.now(),
      }));
      rounds.note({ monitorId, teamId: 1, finishedAt: clock.now(), results });
    },
  };
}

test('a round that no probe made runs again when a probe of its regions is heard of', async () => {
  const { clock, ran, hear, end } = setUp();
  hear('nbg');
  end(1, 'no_probe', 'probe_lost');
  end(2, 'no_probe', 'no_probe');
  await clock.advance(20_000);
  expect(ran).toEqual([]);
  hear('sin');
  await clock.advance(2_000);
  expect(ran).toEqual([]);
  hear('nbg');
  await clock.advance(2_000);
  expect(ran).toEqual([1, 2]);
});

test('a round that a probe took part in is left as it is', async () => {
  const { clock, ran, hear, end } = setUp();
  end(1, 'no_probe', 'probe_lagged');
  end(2, 'no_probe', 'probe_unable');
  await clock.advance(1_000);
  hear('ash');
  await clock.advance(10_000);
  expect([ran, clock.pending().timers]).toEqual([[], 0]);
});

test('a round that was made meanwhile does not run again', async () => {
  const { clock, ran, hear, end } = setUp();
  end(1, 'no_probe', 'no_probe');
  end(1, 'probe_unable', 'probe_unable');
  await clock.advance(1_000);
  hear('ash');
  await clock.advance(4_000);
  expect(ran).toEqual([]);
});

test('a round runs again once, however alive the probe that loses it', async () => {
  const { clock, ran, hear, end } = setUp();
  const heard = async () => {
    await clock.advance(1_000);
    hear('ash');
    await clock.advance(4_000);
  };
  end(1, 'probe_lost', 'probe_lost');
  await heard();
  end(1, 'probe_lost', 'probe_lost');
  await heard();
  expect(ran).toEqual([1]);
  // The next one of the grid.
  end(1, 'probe_lost', 'probe_lost');
  await heard();
  expect(ran).toEqual([1, 1]);
});

test('a round whose next one comes as soon is not taken for one that ran again', async () => {
  const { clock, ran, busy, hear, end } = setUp();
  busy.add(1);
  end(1, 'no_probe');
  await clock.advance(1_000);
  hear('ash');
  await clock.advance(2_000);
  end(1, 'no_probe');
  await clock.advance(1_000);
  hear('ash');
  await clock.advance(2_000);
  expect(ran).toEqual([1, 1]);
});

test('the probe of another team does not count', async () => {
  const { clock, ran, hear, end } = setUp();
  end(1, 'no_probe', 'no_probe', 'no_probe');
  await clock.advance(1_000);
  hear('office');
  await clock.advance(4_000);
  expect(ran).toEqual([]);
});

test('a monitor that this process no longer checks is forgotten', async () => {
  const { clock, rounds, ran, hear, end } = setUp();
  end(1, 'no_probe');
  rounds.forget(1);
  await clock.advance(1_000);
  hear('ash');
  await clock.advance(4_000);
  expect([ran, clock.pending().timers]).toEqual([[], 0]);
});

test('nothing runs again after the end', async () => {
  const { clock, rounds, ran, hear, end } = setUp();
  end(1, 'no_probe', 'no_probe');
  rounds.stop();
  await clock.advance(1_000);
  hear('ash');
  await clock.advance(10_000);
  expect([ran, clock.pending().timers]).toEqual([[], 0]);
});
