import { expect, test } from 'vitest';
import { openInMemory } from '../support/memory-database.ts';
import { FAMILIES } from '../../src/tools/catalog.ts';
import { toolNames } from '../support/tools.ts';
import { before, costOf } from './main.ts';
import { MAX_BYTES, MAX_CALLS, play, report } from './play.ts';
import type { Question } from './question.ts';
import { QUESTIONS } from './questions/index.ts';
import { ASKERS, openWorld } from './world.ts';

test('there are enough questions, each once and with few calls', () => {
  expect(QUESTIONS.length).toBeGreaterThanOrEqual(75);
  expect(new Set(QUESTIONS.map(({ asks }) => asks)).size).toBe(QUESTIONS.length);
  for (const { asks, calls } of QUESTIONS)
    expect(calls.length, asks).toBeLessThanOrEqual(MAX_CALLS);
});

const WRONG: Question = {
  asks: 'Is the checkout up?',
  who: 'viewer',
  calls: [
    {
      tool: 'list_monitors',
      args: { q: 'checkout' },
      answers: { total: 7, monitors: [{ name: 'Checkout', status: 'online' }] },
      says: ['all is well'],
      hides: ['Checkout'],
    },
    { tool: 'pause_monitor', args: { monitor_id: 1 } },
    { tool: 'get_monitor', args: { monitor_id: 1 }, refused: { code: 'forbidden' } },
    { tool: 'no_such_tool' },
  ],
};

test('the tools answer all questions, none with more calls or bytes than before', async () => {
  const world = await openWorld(await openInMemory());
  const faults: string[] = [];
  for (const question of QUESTIONS) {
    const played = await play(world, question);
    if (played.faults.length > 0) faults.push(report(played));
    for (const { bytes } of played.calls) expect(bytes, question.asks).toBeLessThan(MAX_BYTES);
    const [calls, bytes] = costOf(played)!;
    const [callsBefore, bytesBefore] = before.costs[question.asks] ?? [MAX_CALLS, Infinity];
    expect([question.asks, calls <= callsBefore, bytes <= bytesBefore]).toEqual([
      question.asks,
      true,
      true,
    ]);
  }
  expect(faults.join('\n\n')).toBe('');
  expect(world.api.faults).toEqual([]);
});

test('the names and arguments of tools that are not listed any more are answered', async () => {
  const world = await openWorld(await openInMemory());
  for (const { asks, who, before: calls } of QUESTIONS) {
    const { faults, calls: made } = await play(world, { asks, who, calls: calls ?? [] });
    expect(made.length, faults.join()).toBe(calls?.length ?? 0);
  }
});

test('shows everybody the tools that their questions need, and hides those that are refused', async () => {
  const world = await openWorld(await openInMemory());
  for (const who of ASKERS) {
    const shown = await toolNames(world.api, world.tokens[who]);
    for (const { asks, calls } of QUESTIONS.filter((question) => question.who === who)) {
      for (const { tool, refused } of calls) {
        const isOfFamily = FAMILIES.some(({ name }) => name === tool);
        if (refused?.code === 'forbidden' && !isOfFamily) expect(shown, asks).not.toContain(tool);
        else expect(shown, asks).toContain(tool);
      }
    }
  }
});

test('wrong answers are found', async () => {
  const world = await openWorld(await openInMemory());
  const { faults } = await play(world, WRONG);
  const [total, status, says, hides, refused, answered, unknown] = faults;
  expect(total).toMatch(/^call 1, list_monitors .*content\.total is 1 and not 7$/);
  expect(status).toMatch(/content\.monitors has no entry like .*"online".*, but .*"offline"/);
  expect(says).toMatch(/does not say "all is well"/);
  expect(hides).toMatch(/says "Checkout"/);
  expect(refused).toMatch(/^call 2, pause_monitor .*is refused/);
  expect(answered).toMatch(/^call 3, get_monitor .*is not refused/);
  expect(unknown).toMatch(/^call 4, no_such_tool/);
  expect(faults).toHaveLength(7);
  const leaky = { ...world, secrets: ['Checkout'] };
  expect((await play(leaky, { ...WRONG, calls: [WRONG.calls[0]!] })).faults).toContainEqual(
    expect.stringContaining('contains the secret Checkout'),
  );
});
