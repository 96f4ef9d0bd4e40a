import { expect, test } from 'vitest';
import type { Caller } from '../../identity/caller.ts';
import { NO_FILTER } from '../../store/resources/monitors.ts';
import { createListAnswers } from './list-answers.ts';

/** Two pages of one monitor each, in a database that counts its commits. */
function answering() {
  const pages: Record<string, number> = { checkout: 1, backup: 2 };
  const state = {
    mark: 1 as number | null,
    stamp: 'a',
    now: 0,
    reads: 0,
    made: 0,
    hasSecret: false,
    gate: Promise.resolve(),
  };
  const answers = createListAnswers({
    list: {
      async page(_team, { search }) {
        state.reads += 1;
        const id = pages[search!]!;
        const stamps = `${id}|${state.stamp}`;
        await state.gate;
        return { ids: [id], total: 1, stamps };
      },
    },
    views: {
      of: async (_caller, { ids }) => {
        state.made += 1;
        const texts = ids.map((id) => JSON.stringify({ id, stamp: state.stamp }));
        return { texts, validUntil: 1_000, hasSecret: state.hasSecret };
      },
    },
    readMark: async () => state.mark,
    clock: { now: () => state.now },
  });
  const caller = { team: { id: 1 }, permissions: ['read'] } as unknown as Caller;
  const ask = async (search: string) => {
    const { json } = await answers.of(caller, {
      query: { search },
      filter: async () => ({ ...NO_FILTER, search }),
      paging: { page: 1, sort: 'created_at', direction: 'desc', limit: 20, offset: 0 },
      // As assistants ask: one address for all lists.
      address: { path: '/mcp', query: '' },
    });
    return JSON.parse(json.toString()).data as { id: number; stamp: string }[];
  };
  const askWhole = (search: string) =>
    answers.of(caller, {
      query: { search },
      filter: async () => ({ ...NO_FILTER, search }),
      paging: { page: 1, sort: 'created_at', direction: 'desc', limit: 20, offset: 0 },
      address: { path: '/mcp', query: '' },
    });
  return { ask, askWhole, state };
}

test('lists at one address with different queries are different', async () => {
  const { ask } = answering();
  expect(await ask('checkout')).toEqual([{ id: 1, stamp: 'a' }]);
  expect(await ask('backup')).toEqual([{ id: 2, stamp: 'a' }]);
  expect(await ask('checkout')).toEqual([{ id: 1, stamp: 'a' }]);
});

test('a list is read again when something was committed, and made again when its monitors changed', async () => {
  const { ask, state } = answering();
  await ask('checkout');
  await ask('checkout');
  expect(state.reads).toBe(1);
  state.mark = 2;
  state.stamp = 'b';
  expect(await ask('checkout')).toEqual([{ id: 1, stamp: 'b' }]);
  expect(state.reads).toBe(2);
});

test.each([
  ['without a mark', { mark: null }],
  ['when a next check was due', { now: 1_000 }],
])('a list is read again %s', async (_, change) => {
  const { ask, state } = answering();
  await ask('checkout');
  Object.assign(state, change);
  await ask('checkout');
  expect(state.reads).toBe(2);
});

test('requests that come at once share an answer while nothing is committed, and another one after that', async () => {
  const { ask, state } = answering();
  const gate = Promise.withResolvers<void>();
  state.gate = gate.promise;
  const first = ask('checkout');
  await expect.poll(() => state.reads).toBe(1);
  const meanwhile = Array.from({ length: 10 }, () => ask('checkout'));
  const elsewhere = ask('backup');
  await expect.poll(() => state.reads).toBe(2);
  state.mark = 2;
  state.stamp = 'b';
  const later = Array.from({ length: 10 }, () => ask('checkout'));
  gate.resolve();
  await Promise.all([first, elsewhere, ...meanwhile]);
  expect(state.reads).toBe(3);
  expect(await Promise.all(later)).toEqual(later.map(() => [{ id: 1, stamp: 'b' }]));
  expect(state.reads).toBe(3);
});

test('a list with a secret serves again while it is being sent and its monitors stay', async () => {
  const { askWhole, state } = answering();
  state.hasSecret = true;
  const first = await askWhole('checkout');
  state.mark = 2;
  expect((await askWhole('checkout')).json).toBe(first.json);
  expect(state).toMatchObject({ reads: 2, made: 1 });
  state.stamp = 'b';
  expect((await askWhole('checkout')).json).not.toBe(first.json);
});
