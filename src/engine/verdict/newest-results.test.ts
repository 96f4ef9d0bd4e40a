import { expect, test } from 'vitest';
import { checkResult, stateOf } from '../../../test/support/rounds.ts';
import type { RegionResult } from '../../model/check.ts';
import type { NewestResult } from '../../model/state.ts';
import { withManualResult } from './newest-results.ts';

const manual = (checkedAt: number): RegionResult => ({
  ...checkResult('up'),
  region: 'ash',
  checkedAt,
});

/** A state whose round was recorded at that time. */
const after = (at: number) => {
  const ash: NewestResult = { responseTimeMs: 1, statusCode: 200, checkedAt: at, failure: null };
  return stateOf({ lastCheckedAt: at, newest: { ash } });
};

test.each<[recorded: number, isShown: boolean, what: string]>([
  [900, true, 'a round before it'],
  [1_000, true, 'a round at its start'],
  [1_500, false, 'a round that began after it, and was recorded first'],
  [9_000, true, 'a round of a clock that was set back'],
])(
  'a manual check at 1,000, recorded at 2,000: round at %d shows it: %s, %s',
  (recorded, isShown) => {
    const before = after(recorded);
    const state = withManualResult(before, manual(1_000), { startedAt: 1_000, now: 2_000 });
    expect(state.lastCheckedAt).toBe(isShown ? 1_000 : recorded);
    expect(state.newest['ash']!.checkedAt).toBe(isShown ? 1_000 : recorded);
    expect(state.newest['ash']!.isManual).toBe(isShown ? true : undefined);
  },
);
