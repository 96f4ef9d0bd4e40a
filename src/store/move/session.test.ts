import { expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { DatabaseUnavailable } from '../database/errors.ts';
import { MoveSession } from './session.ts';
import type { MoveTarget } from './target.ts';

const MINUTE = 60_000;

/** A session whose target is away while `isAway` says so, and what was told about that. */
function settle() {
  const clock = createFakeClock({ now: 0 });
  const state = { isAway: false, connections: 0, told: [] as string[] };
  const session = new MoveSession({
    clock,
    async connect() {
      if (state.isAway) throw new DatabaseUnavailable('gone');
      state.connections += 1;
      return { close: async () => {} } as MoveTarget;
    },
    onAway: async ({ message }) => void state.told.push(message),
  });
  return { clock, state, session };
}

/** Work that fails as often as the target is away. */
const workOn =
  ({ state }: ReturnType<typeof settle>, result: string) =>
  async () => {
    if (state.isAway) throw new DatabaseUnavailable('cut');
    return result;
  };

test('work is repeated on a new connection once the target is back, and told of once', async () => {
  const all = settle();
  const { clock, state, session } = all;
  expect(await session.run(workOn(all, 'first'))).toBe('first');
  state.isAway = true;
  const second = session.run(workOn(all, 'second'));
  await clock.advance(9 * MINUTE);
  state.isAway = false;
  await clock.advance(MINUTE);
  expect(await second).toBe('second');
  expect(state).toMatchObject({ connections: 2, told: [expect.stringContaining('cut')] });
});

test('after ten minutes without a success it ends, and says how to go on', async () => {
  const all = settle();
  const { clock, state, session } = all;
  await session.open();
  state.isAway = true;
  const ended = expect(session.run(workOn(all, 'never'))).rejects.toThrow(
    /away for ten minutes .+Run the same command again/,
  );
  await clock.advance(11 * MINUTE);
  await ended;
});

test('a first connection that fails is not tried again', async () => {
  const { state, session } = settle();
  state.isAway = true;
  await expect(session.open()).rejects.toThrow('gone');
});

test('an error that is none of the target is not repeated', async () => {
  const { state, session } = settle();
  let attempts = 0;
  const failing = session.run(async () => {
    attempts += 1;
    throw new Error('broken');
  });
  await expect(failing).rejects.toThrow('broken');
  expect([attempts, state.told]).toEqual([1, []]);
});
