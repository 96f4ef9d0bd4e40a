import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { createMonitor } from '../../../test/support/monitor-rows.ts';
import { roundOf } from '../../../test/support/rounds.ts';
import { wrapDatabase } from '../../../test/support/wrapped-database.ts';
import { silentLog } from '../../lib/log.ts';
import type { Round } from '../../model/round.ts';
import { createRoundRecorder } from '../index.ts';

const START = Date.UTC(2030, 0, 1);
const EXPIRED = { code: 'tls_expired', text: 'The certificate has expired' } as const;

eachDatabase((_engine, open) => {
  test.each<[string, Round[], number]>([
    ['in which all is well', [roundOf('uuuu')], 250],
    ['with a region that is down', [roundOf('uuud')], 50],
    ['with a region that does not know', [roundOf('uuu?')], 50],
    ['with a fault of the certificate', [withFault(roundOf('uuuu'))], 50],
    ['beside one that found something', [roundOf('uuuu'), roundOf('dddd')], 50],
  ])('a round %s is recorded with others that come soon', async (_what, rounds, afterMs) => {
    const real = await open();
    const clock = createFakeClock({ now: START });
    const begun: number[] = [];
    const database = wrapDatabase(real, {
      transaction(work) {
        begun.push(clock.now());
        return real.transaction(work);
      },
    });
    const recorder = createRoundRecorder({ database, clock, log: silentLog });
    const recorded = [];
    for (const round of rounds) {
      const monitorId = await createMonitor(real, START);
      recorded.push(recorder.submit({ ...round, monitorId, startedAt: START, slot: START }));
    }
    await clock.advance(afterMs - 1);
    expect(begun).toEqual([]);
    await clock.advance(1);
    await Promise.all(recorded);
    expect(begun[0]).toBe(START + afterMs);
    const closed = recorder.close();
    await clock.settle();
    await closed;
  });
});

function withFault(round: Round): Round {
  const [first, ...others] = round.results;
  return { ...round, results: [{ ...first!, certificateFault: EXPIRED }, ...others] };
}
