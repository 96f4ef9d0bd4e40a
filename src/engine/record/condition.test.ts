import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CONDITIONS, type Confirmation, type ConfirmationName } from '../../model/condition.ts';
import { CONDITION_TABLE, step, type ConditionChange, type Observation } from './condition.ts';
import { clearRun, closeIncident, reopenIncident } from './confirmations.ts';

/**
 * Plays rounds on one confirmation, each a second after the last: down, regional, slow, good, off or `?` unknown, by their first
 * letters. By hand, `c` closes the incident and `o` opens it again.
 */
function play(
  words: string,
  thresholds = { failureThreshold: 2, recoveryThreshold: 1 },
  name: 'reachability' | 'slow_response' = 'reachability',
) {
  let confirmation: Confirmation | undefined;
  return words.split(' ').map((word, index) => {
    if (word === 'c' || word === 'o') {
      confirmation = byHand(word === 'c' ? 'close' : 'reopen', name, confirmation);
      return { confirmation, change: null, recheckAfterMs: null, says: '-', recheck: 0 };
    }
    const stepped = step(name, confirmation, seen(word, (index + 1) * 1000), thresholds);
    confirmation = stepped.confirmation;
    return {
      ...stepped,
      says: told(stepped.change),
      recheck: (stepped.recheckAfterMs ?? 0) / 1000,
    };
  });
}

const CLOSED = { id: 7, startedAt: 1_000 };

function byHand(
  deed: 'close' | 'reopen',
  name: ConfirmationName,
  confirmation: Confirmation | undefined,
) {
  if (!confirmation?.open) return confirmation;
  const { type } = CONDITIONS[confirmation.open];
  const confirmations = { [name]: confirmation };
  const after =
    deed === 'close'
      ? closeIncident(confirmations, type, CLOSED)
      : reopenIncident(confirmations, type, CLOSED.id);
  return after[name];
}

function seen(word: string, at: number): Observation {
  if (word === 'd') return { says: 'bad', condition: 'uptime', at };
  if (word === 'r') return { says: 'bad', condition: 'regional', at };
  if (word === 's') return { says: 'bad', condition: 'slow_response', at };
  if (word === 'g') return { says: 'good', at };
  return word === 'off' ? { says: 'off' } : { says: 'unknown' };
}

function told(change: ConditionChange | null): string {
  if (!change) return '-';
  if (change.kind === 'change_over') return `${change.from}>${change.condition}@${change.at}`;
  return `${change.kind === 'open' ? '+' : '-'}${change.condition}@${change.at}`;
}

describe('confirmation', () => {
  test.each([
    // rounds | thresholds bad, good | what each changes | seconds until the recheck each asks for
    ['g', 2, 1, '-', '0'],
    ['d d', 2, 1, '- +uptime@1000', '10 0'],
    ['d', 1, 1, '+uptime@1000', '0'],
    ['d g d g', 2, 1, '- - - -', '10 0 10 0'],
    ['d d d d', 4, 1, '- - - +uptime@1000', '10 20 20 0'],
    ['r r', 2, 1, '- +regional@1000', '10 0'],
    // The class is that of the last round; the incident began with the first failing result.
    ['r d', 2, 1, '- +uptime@1000', '10 0'],
    ['d r', 2, 1, '- +regional@1000', '10 0'],
    // Unknown neither counts nor clears, and a running confirmation is asked again.
    ['d ? d', 2, 1, '- - +uptime@1000', '10 20 0'],
    ['?', 2, 1, '-', '0'],
    ['d d ? g', 2, 1, '- +uptime@1000 - -uptime@4000', '10 0 0 0'],
    // Recovery: the end is the first good round of the run.
    ['d d g g g', 2, 3, '- +uptime@1000 - - -uptime@3000', '10 0 10 20 0'],
    ['d d g d g g', 2, 2, '- +uptime@1000 - - - -uptime@5000', '10 0 10 0 10 0'],
    // A change of class is confirmed like anything else.
    ['r r d d', 2, 1, '- +regional@1000 - regional>uptime@3000', '10 0 10 0'],
    ['d d r d r r', 2, 1, '- +uptime@1000 - - - uptime>regional@5000', '10 0 10 0 10 0'],
    ['d d r g', 2, 1, '- +uptime@1000 - -uptime@4000', '10 0 10 0'],
    ['r r d ? d', 2, 1, '- +regional@1000 - - regional>uptime@3000', '10 0 10 20 0'],
  ])(
    '%s at %d/%d [18.11, 18.16, 19.11]',
    (words, failureThreshold, recoveryThreshold, changes, rechecks) => {
      const steps = play(words, { failureThreshold, recoveryThreshold });
      expect(steps.map((one) => one.says).join(' ')).toBe(changes);
      expect(steps.map((one) => one.recheck).join(' ')).toBe(rechecks);
    },
  );

  test.each([
    // It opens anew when the threshold is reached again, with the first failing result of the new run.
    ['d d c d d', 2, 1, '- +uptime@1000 - - +uptime@4000', '10 0 0 10 0'],
    ['d c d', 1, 1, '+uptime@1000 - +uptime@3000', '0 0 0'],
    ['d d c d d d', 2, 1, '- +uptime@1000 - - +uptime@4000 -', '10 0 0 10 0 0'],
    [
      'd d d d c d d d d',
      4,
      1,
      '- - - +uptime@1000 - - - - +uptime@6000',
      '10 20 20 0 0 10 20 20 0',
    ],
    // The condition ends as ever; good rounds clear the count.
    ['d d c g', 2, 1, '- +uptime@1000 - -uptime@4000', '10 0 0 0'],
    ['d d c d g d', 2, 1, '- +uptime@1000 - - -uptime@5000 -', '10 0 0 10 0 10'],
    ['d d c d g d d', 2, 2, '- +uptime@1000 - - - - +uptime@6000', '10 0 0 10 10 10 0'],
    // A recovery that has begun goes on, and only the count of bad rounds is reset.
    ['d d g c g', 2, 2, '- +uptime@1000 - - -uptime@3000', '10 0 10 0 0'],
    ['r r d c d d', 2, 1, '- +regional@1000 - - - regional>uptime@5000', '10 0 10 0 10 0'],
    // Another class is confirmed as ever, and the bad rounds of both count for the one that was closed.
    ['r r c d d', 2, 1, '- +regional@1000 - - regional>uptime@4000', '10 0 0 10 0'],
    ['d d c r d', 2, 1, '- +uptime@1000 - - +uptime@4000', '10 0 0 10 0'],
    ['d d c ? d', 2, 1, '- +uptime@1000 - - -', '10 0 0 0 10'],
    ['d d c d ? d', 2, 1, '- +uptime@1000 - - - +uptime@4000', '10 0 0 10 20 0'],
    // Opened again by hand, it is as if nothing had happened.
    ['d d c o d d g', 2, 1, '- +uptime@1000 - - - - -uptime@7000', '10 0 0 0 0 0 0'],
    ['d d c d o d', 2, 1, '- +uptime@1000 - - - -', '10 0 0 10 0 0'],
    ['d c d c', 2, 1, '- - +uptime@1000 -', '10 0 0 0'],
  ])('with its incident closed by hand: %s at %d/%d', (words, bad, good, changes, rechecks) => {
    const steps = play(words, { failureThreshold: bad, recoveryThreshold: good });
    expect(steps.map((one) => one.says).join(' ')).toBe(changes);
    expect(steps.map((one) => one.recheck).join(' ')).toBe(rechecks);
  });

  test('closed by hand, slowness opens anew at the ordinary pace, and ends when it is switched off', () => {
    const steps = play('s s c s s c off', undefined, 'slow_response');
    expect(steps.map((one) => one.says).join(' ')).toBe(
      '- +slow_response@1000 - - +slow_response@4000 - -slow_response@null',
    );
    expect(steps.map((one) => one.recheck)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });

  test('slowness is confirmed at the ordinary pace, and ends when it is switched off', () => {
    const steps = play('s s off', undefined, 'slow_response');
    expect(steps.map((one) => one.says).join(' ')).toBe(
      '- +slow_response@1000 -slow_response@null',
    );
    expect(steps.map((one) => one.recheck)).toEqual([0, 0, 0]);
  });

  test('a confirmation at rest is no confirmation, so that quiet monitors store nothing', () => {
    expect(play('g d g').map((one) => one.confirmation === undefined)).toEqual([true, false, true]);
    expect(play('s off', undefined, 'slow_response').at(-1)!.confirmation).toBeUndefined();
  });

  test('a cleared run begins anew, and what is confirmed stays so', () => {
    const [, , counting] = play('r r d');
    expect(clearRun(counting!.confirmation!)).toMatchObject({
      open: 'regional',
      badRun: 0,
      candidate: null,
    });
    expect(clearRun(play('d')[0]!.confirmation!)).toBeUndefined();
  });

  test('a cleared run keeps in mind that the incident was closed by hand', () => {
    const counting = play('d d c d').at(-1)!.confirmation!;
    expect(clearRun(counting)).toMatchObject({ open: 'uptime', incidentClosed: true, badRun: 0 });
  });

  test('of more than a hundred incidents closed by hand, the end of the oldest is sent when the next one opens [28.10]', () => {
    const thresholds = { failureThreshold: 1, recoveryThreshold: 1 };
    let confirmation: Confirmation | undefined;
    const sent: number[] = [];
    const round = (word: string, at: number) => {
      const stepped = step('reachability', confirmation, seen(word, at), thresholds);
      confirmation = stepped.confirmation;
      const { change } = stepped;
      sent.push(...(change?.closedByHand ?? []).map(({ id }) => id));
    };
    for (let id = 1; id <= 103; id += 1) {
      round('d', id * 60_000);
      const closed = { id, startedAt: id * 60_000 };
      confirmation = closeIncident({ reachability: confirmation! }, 'uptime', closed).reachability;
    }
    expect(sent).toEqual([1, 2]);
    round('d', 104 * 60_000);
    expect(confirmation!.closedByHand).toHaveLength(100);
    round('g', 105 * 60_000);
    expect(sent).toEqual(Array.from({ length: 103 }, (_, index) => index + 1));
  });

  test('closing and reopening touch the condition of that type alone', () => {
    const open = play('d d').at(-1)!.confirmation!;
    const slow = play('s', undefined, 'slow_response').at(-1)!.confirmation!;
    const confirmations = { reachability: open, slow_response: slow };
    const closed = closeIncident(confirmations, 'uptime', CLOSED);
    const marked = { ...open, incidentClosed: true, closedByHand: [CLOSED] };
    expect(closed).toEqual({ ...confirmations, reachability: marked });
    expect(reopenIncident(closed, 'uptime', CLOSED.id)).toEqual(confirmations);
    for (const type of ['regional', 'slow_response'] as const) {
      expect(closeIncident(confirmations, type, CLOSED)).toBe(confirmations);
      expect(reopenIncident(confirmations, type, CLOSED.id)).toBe(confirmations);
    }
  });
});

describe('the table', () => {
  test('has exactly one row for each case [18.12, 18.20]', () => {
    for (const open of ['none', 'same', 'closed', 'other', 'any'] as const) {
      for (const says of ['good', 'bad', 'unknown', 'off'] as const) {
        for (const reached of [true, false]) {
          const rows = CONDITION_TABLE.filter(
            (row) =>
              row.open === open &&
              row.says === says &&
              (row.reached === 'any' || row.reached === reached),
          );
          const exists = says === 'bad' ? open !== 'any' : open === 'none' || open === 'any';
          expect(rows, `${open} ${says} ${reached}`).toHaveLength(exists ? 1 : 0);
        }
      }
    }
  });

  const anyWords = fc.array(fc.constantFrom('g', 'd', 'r', '?'), {
    minLength: 1,
    maxLength: 40,
  });
  const anyThresholds = fc.record({
    failureThreshold: fc.integer({ min: 1, max: 10 }),
    recoveryThreshold: fc.integer({ min: 1, max: 10 }),
  });

  test('opens only after enough bad rounds in a row and resolves only after enough good ones [18.11]', () => {
    fc.assert(
      fc.property(anyWords, anyThresholds, (words, thresholds) => {
        let [bad, good] = [0, 0];
        let open: string | null = null;
        play(words.join(' '), thresholds).forEach((one, index) => {
          const word = words[index]!;
          if (word === 'g') [bad, good] = [0, good + 1];
          else if (word !== '?') [bad, good] = [bad + 1, 0];
          if (one.change?.kind === 'open') {
            expect(open).toBeNull();
            expect(bad).toBeGreaterThanOrEqual(thresholds.failureThreshold);
            open = one.change.condition;
          } else if (one.change?.kind === 'change_over') {
            expect([open, one.change.condition]).toEqual([
              one.change.from,
              expect.not.stringMatching(open!),
            ]);
            open = one.change.condition;
          } else if (one.change?.kind === 'resolve') {
            expect([open, good]).toEqual([one.change.condition, thresholds.recoveryThreshold]);
            open = null;
          } else if (open === null) {
            expect(bad).toBeLessThan(thresholds.failureThreshold);
          }
        });
      }),
    );
  });

  const anyDeeds = fc.array(fc.constantFrom('g', 'd', 'r', '?', 'c'), {
    minLength: 1,
    maxLength: 40,
  });

  test('whoever closes it, as long as it fails there is an incident again when the threshold is reached', () => {
    fc.assert(
      fc.property(anyDeeds, anyThresholds, (words, thresholds) => {
        let [bad, good] = [0, 0];
        let [condition, incident]: (string | null)[] = [null, null];
        play(words.join(' '), thresholds).forEach(({ change, confirmation }, index) => {
          const word = words[index]!;
          if (word === 'c') {
            bad = condition === null ? bad : 0;
            incident = null;
          } else if (word === 'g') [bad, good] = [0, good + 1];
          else if (word !== '?') [bad, good] = [bad + 1, 0];
          if (change?.kind === 'open') {
            expect(incident).toBeNull();
            expect([null, change.condition]).toContain(condition);
          }
          if (change?.kind === 'change_over') expect(condition).toBe(change.from);
          if (change?.kind === 'open' || change?.kind === 'change_over') {
            expect(bad).toBeGreaterThanOrEqual(thresholds.failureThreshold);
            [condition, incident] = [change.condition, change.condition];
          }
          if (change?.kind === 'resolve') {
            expect([condition, good]).toEqual([change.condition, thresholds.recoveryThreshold]);
            [condition, incident] = [null, null];
          }
          expect(confirmation?.open ?? null).toBe(condition);
          expect(confirmation?.incidentClosed ?? false).toBe(condition !== incident);
          const says = word === 'd' ? 'uptime' : word === 'r' ? 'regional' : word;
          if (
            incident === null &&
            says === (condition ?? says) &&
            ['uptime', 'regional'].includes(says)
          )
            expect(bad).toBeLessThan(thresholds.failureThreshold);
        });
      }),
    );
  });
});
