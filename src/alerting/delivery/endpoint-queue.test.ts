import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  MAX_IN_FLIGHT,
  nextSends,
  type EndpointState,
  type WaitingEvent,
} from './endpoint-queue.ts';

const NOW = 1_000_000;

const state = (more: Partial<EndpointState> = {}): EndpointState => ({
  now: NOW,
  isActive: true,
  failures: 0,
  heldUntil: null,
  limit: MAX_IN_FLIGHT,
  inFlight: 0,
  busyMonitors: new Set(),
  ...more,
});

const event = (id: number, monitorId: number | null, more: Partial<WaitingEvent> = {}) => ({
  id,
  monitorId,
  attempts: 0,
  nextAt: NOW,
  expiresAt: NOW + 1,
  ...more,
});

const ids = (events: WaitingEvent[]) => events.map(({ id }) => id);
const QUEUE = [event(1, 7), event(2, 7), event(3, 8), event(4, null), event(5, null), event(6, 9)];
const TRIED = [event(1, 7, { attempts: 3 }), event(2, 7), event(3, 8, { attempts: 1 })];
const LATER = { nextAt: NOW + 1 };
/** Nothing is postponed that long: a clock that was ahead wrote it, and was set back since. */
const DISTANT = NOW + 4 * 3_600_000;

test.each<[string, WaitingEvent[], Partial<EndpointState>, number[]]>([
  ['the oldest of each monitor', QUEUE, {}, [1, 3, 4, 5, 6]],
  ['as many as there are places', QUEUE, { limit: 6, inFlight: 3 }, [1, 3, 4]],
  ['none where all places are taken', QUEUE, { inFlight: 16 }, []],
  ['none of a monitor with one in flight', QUEUE, { busyMonitors: new Set([7, 9]) }, [3, 4, 5]],
  ['none behind one that waits', [event(1, 7, LATER), event(2, 7), event(3, 8)], {}, [3]],
  ['none behind one that is overdue', [event(1, 7, { expiresAt: NOW }), event(2, 7)], {}, []],
  ['none to an endpoint that is off', QUEUE, { isActive: false }, []],
  ['none while the hold lasts', QUEUE, { heldUntil: NOW + 1 }, []],
  ['one after the hold', QUEUE, { heldUntil: NOW }, [1]],
  ['none while the probe is in flight', QUEUE, { heldUntil: NOW, inFlight: 1 }, []],
  ['first the one that was hardly tried', TRIED, { heldUntil: NOW, failures: 1 }, [3]],
  ['then the oldest', TRIED, { heldUntil: NOW, failures: 2 }, [1]],
  ['likewise where the last answer was good', TRIED, { heldUntil: NOW, failures: 0 }, [3]],
  ['one that waits for a distant time', [event(1, 7, { nextAt: DISTANT })], {}, [1]],
  ['one though the hold ends at a distant time', QUEUE, { heldUntil: DISTANT }, [1]],
])('%s', (_, waiting, more, expected) => {
  expect(ids(nextSends(waiting, state(more)))).toEqual(expected);
});

test('whatever waits: no event overtakes one of its monitor, and no place is left that could be used', () => {
  const waiting = fc
    .array(
      fc.record({
        monitorId: fc.option(fc.integer({ min: 1, max: 6 })),
        attempts: fc.nat({ max: 3 }),
        isLate: fc.boolean(),
      }),
      { maxLength: 40 },
    )
    .map((rows) =>
      rows.map(({ isLate, monitorId, attempts }, index) =>
        event(index + 1, monitorId, { attempts, nextAt: isLate ? NOW + 1 : NOW }),
      ),
    );
  const more = fc.record({
    heldUntil: fc.constantFrom(null, NOW - 1, NOW + 1),
    failures: fc.nat({ max: 3 }),
    limit: fc.integer({ min: 1, max: 16 }),
    inFlight: fc.nat({ max: 16 }),
    busyMonitors: fc.uniqueArray(fc.integer({ min: 1, max: 6 })).map((list) => new Set(list)),
  });
  fc.assert(
    fc.property(waiting, more, (events, changes) => {
      const now = state(changes);
      const sent = nextSends(events, now);
      const { heldUntil, inFlight, limit, busyMonitors } = now;
      const places = heldUntil === null ? limit - inFlight : inFlight === 0 ? 1 : 0;
      const may = events.filter(
        ({ id, monitorId, nextAt }) =>
          nextAt <= NOW &&
          (monitorId === null ||
            (!busyMonitors.has(monitorId) &&
              !events.some((other) => other.monitorId === monitorId && other.id < id))),
      );
      expect(sent.every((one) => may.includes(one))).toBe(true);
      expect(new Set(ids(sent)).size).toBe(sent.length);
      const isHeld = heldUntil !== null && heldUntil > NOW;
      expect(sent.length).toBe(isHeld ? 0 : Math.max(0, Math.min(places, may.length)));
    }),
  );
});
