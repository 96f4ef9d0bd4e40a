import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { silentLog } from '../../lib/log.ts';
import type { ContentCheck } from '../../model/content.ts';
import { createContentEvaluator, isSmall, type Requester } from './evaluator.ts';
import type { ContentReply, ContentRequest, ContentThreadOptions } from './thread.ts';

const WELCOME: ContentCheck = {
  kind: 'keyword',
  target: 'html',
  keywords: [{ phrase: 'Welcome', mode: 'must_contain', caseSensitive: false }],
};
const PASSED: ContentReply = {
  state: 'evaluated',
  outcome: { kind: 'keyword', passed: true, outcomes: [] },
};
const OUT_OF_MEMORY: ContentReply & { state: 'failed' } = {
  state: 'failed',
  reason: 'took too much memory to search',
  error: 'Error: heap',
};
const SMALL = Buffer.from('Welcome');
const ASKER: Requester = { monitorId: 1, isContended: () => false };
const TOO_LONG = { state: 'failed', reason: 'took too long to search' };
const never = new AbortController().signal;

/** Threads whose replies the test sends. */
function createThreads() {
  const threads: ScriptedThread[] = [];
  class ScriptedThread {
    readonly questions: ContentRequest[] = [];
    readonly begin: () => void;
    readonly die: (death: ContentReply & { state: 'failed' }) => void;
    isStopped = false;
    answer: (answer: ContentReply) => void = () => expect.unreachable();

    constructor({ onReady, onExit }: ContentThreadOptions) {
      this.begin = onReady;
      this.die = onExit;
      threads.push(this);
    }

    evaluate(question: ContentRequest, onAnswer: (answer: ContentReply) => void) {
      this.questions.push(question);
      this.answer = onAnswer;
    }

    async stop() {
      this.isStopped = true;
    }
  }
  return { threads, start: (options: ContentThreadOptions) => new ScriptedThread(options) };
}

function open() {
  const clock = createFakeClock();
  const { threads, start } = createThreads();
  const warnings: object[] = [];
  const log = { ...silentLog, warn: (fields: object) => void warnings.push(fields) };
  const evaluator = createContentEvaluator({ clock, log, startThread: start });
  const large = (signal = never, asker = ASKER) =>
    evaluator.evaluate(WELCOME, Buffer.alloc(1_000_000, 'x'), 'text/html', signal, asker);
  const of = (monitorId: number) => large(never, { ...ASKER, monitorId });
  return { clock, evaluator, threads, warnings, large, of };
}

test('small contents need no thread', async () => {
  const { evaluator, threads } = open();
  expect(await evaluator.evaluate(WELCOME, SMALL, null, never, ASKER)).toMatchObject({
    state: 'evaluated',
    outcome: { passed: true, outcomes: [{ text: 'Keyword "Welcome" was found' }] },
  });
  expect(threads).toEqual([]);
});

describe('large contents', () => {
  test('go to one thread, one at a time and in order', async () => {
    const { threads, large } = open();
    const settled: number[] = [];
    const all = [1, 2, 3].map((name) => large().finally(() => settled.push(name)));
    expect(threads).toHaveLength(1);
    for (const asked of [1, 2, 3]) {
      expect(threads[0]?.questions).toHaveLength(asked);
      threads[0]?.answer(PASSED);
      expect(await all[asked - 1]).toEqual(PASSED);
      expect(settled).toHaveLength(asked);
    }
    expect(settled).toEqual([1, 2, 3]);
  });

  test('that are aborted while running stop the thread, and the next gets a new one', async () => {
    const { threads, large } = open();
    const abort = new AbortController();
    const [first, second] = [large(abort.signal), large()];
    abort.abort('deadline');
    expect(await first).toEqual({ state: 'stopped' });
    expect(threads.map(({ isStopped }) => isStopped)).toEqual([true, false]);
    // A late reply of the old thread is ignored.
    threads[0]?.answer(OUT_OF_MEMORY);
    threads[1]?.answer(PASSED);
    expect(await second).toEqual(PASSED);
  });

  test('that are aborted in the queue never start', async () => {
    const { threads, large } = open();
    const abort = new AbortController();
    const all = [large(), large(abort.signal), large()];
    abort.abort('deadline');
    expect(await all[1]).toEqual({ state: 'stopped' });
    threads[0]?.answer(PASSED);
    threads[0]?.answer(PASSED);
    expect(await Promise.all(all)).toEqual([PASSED, { state: 'stopped' }, PASSED]);
    expect(threads).toMatchObject([{ isStopped: false, questions: { length: 2 } }]);
  });

  test('of an aborted check are not evaluated', async () => {
    const { threads, large, evaluator } = open();
    const aborted = AbortSignal.abort('shutdown');
    expect(await large(aborted)).toEqual({ state: 'stopped' });
    expect(await evaluator.evaluate(WELCOME, SMALL, null, aborted, ASKER)).toEqual({
      state: 'stopped',
    });
    expect(threads).toEqual([]);
  });

  test('that take longer than five seconds are stopped', async () => {
    const { clock, threads, warnings, large } = open();
    const [first, second] = [large(), large()];
    await clock.advance(4_999);
    expect(threads).toMatchObject([{ isStopped: false }]);
    await clock.advance(1);
    expect(await first).toEqual(TOO_LONG);
    expect(threads).toMatchObject([{ isStopped: true }, { isStopped: false }]);
    expect(warnings).toHaveLength(1);
    // Each has its own five seconds.
    await clock.advance(4_999);
    threads[1]?.answer(PASSED);
    expect(await second).toEqual(PASSED);
  });

  test('that crash the thread fail alone', async () => {
    const { threads, warnings, large } = open();
    const all = [large(), large(), large()];
    threads[0]?.die(OUT_OF_MEMORY);
    threads[1]?.answer(PASSED);
    threads[1]?.die(OUT_OF_MEMORY);
    const failed = { state: 'failed', reason: OUT_OF_MEMORY.reason };
    expect(await Promise.all(all)).toEqual([failed, PASSED, failed]);
    expect(warnings).toMatchObject([{ error: 'Error: heap' }, { error: 'Error: heap' }]);
  });

  test('fail if no thread can be started', async () => {
    const clock = createFakeClock();
    const evaluator = createContentEvaluator({
      clock,
      log: silentLog,
      startThread() {
        throw new Error('EAGAIN');
      },
    });
    const body = Buffer.alloc(1_000_000);
    expect(await evaluator.evaluate(WELCOME, body, null, never, ASKER)).toEqual({
      state: 'failed',
      reason: 'could not be searched',
    });
    expect(clock.pending().timers).toBe(0);
  });
});

describe('monitors', () => {
  test('are served in turn', async () => {
    const { clock, threads, of } = open();
    const order: number[] = [];
    const ask = (monitorId: number) => of(monitorId).then(() => void order.push(monitorId));
    const all = [1, 1, 1, 2, 2, 3].map(ask);
    for (const _ of all) {
      threads[0]?.answer(PASSED);
      await clock.settle();
    }
    expect(order).toEqual([1, 2, 3, 1, 2, 1]);
  });

  test('are stopped after a second while another one waits [17.15]', async () => {
    const { clock, threads, of } = open();
    const [early, waiting] = [of(1), of(2)];
    await clock.advance(999);
    expect(threads).toHaveLength(1);
    await clock.advance(1);
    expect(await early).toEqual(TOO_LONG);
    await clock.advance(3_000);
    const late = of(3);
    expect(await waiting).toEqual(TOO_LONG);
    threads[2]?.answer(PASSED);
    expect(await late).toEqual(PASSED);
  });

  test('are stopped for one that waits for a resource they hold', async () => {
    const { clock, threads, large } = open();
    let isWaitedFor = false;
    const holding = large(never, { monitorId: 1, isContended: () => isWaitedFor });
    await clock.advance(2_000);
    expect(threads).toMatchObject([{ isStopped: false }]);
    isWaitedFor = true;
    await clock.advance(250);
    expect(await holding).toEqual(TOO_LONG);
    // The next one doesn't start.
    expect(await large(never, { monitorId: 1, isContended: () => true })).toEqual(TOO_LONG);
    expect(threads).toMatchObject([{ isStopped: true }]);
  });

  test('that took too long only run while nobody waits, for a minute', async () => {
    const { clock, threads, of } = open();
    const monsters = [of(1), of(1), of(1)];
    await clock.advance(5_000);
    expect(await monsters[0]).toEqual(TOO_LONG);
    expect(threads).toHaveLength(2);
    await clock.advance(100);
    const others = [of(2), of(3)];
    // The running one is stopped, and the waiting one doesn't start.
    expect(await Promise.all(monsters)).toEqual([TOO_LONG, TOO_LONG, TOO_LONG]);
    expect(threads).toMatchObject([{ isStopped: true }, { isStopped: true }, { isStopped: false }]);
    expect(await of(1)).toEqual(TOO_LONG);
    threads[2]?.answer(PASSED);
    // Nobody waits: the other one is running already.
    const patient = of(1);
    threads[2]?.answer(PASSED);
    threads[2]?.answer(PASSED);
    expect(await Promise.all([...others, patient])).toEqual([PASSED, PASSED, PASSED]);

    await clock.advance(59_900);
    const [again, waiting] = [of(1), of(2)];
    await clock.advance(999);
    threads.at(-1)?.answer(PASSED);
    threads.at(-1)?.answer(PASSED);
    expect(await Promise.all([again, waiting])).toEqual([PASSED, PASSED]);
  });

  test('that reach their deadline or crash the thread count as costly, too', async () => {
    const { clock, threads, large, of } = open();
    const abort = new AbortController();
    const aborted = large(abort.signal);
    await clock.advance(600);
    abort.abort('deadline');
    expect(await aborted).toEqual({ state: 'stopped' });
    const dying = of(1);
    await clock.advance(400);
    threads[1]?.die(OUT_OF_MEMORY);
    expect(await dying).toMatchObject({ state: 'failed' });
    const [running, waiting] = [of(2), of(3)];
    expect(await of(1)).toEqual(TOO_LONG);
    threads[2]?.answer(PASSED);
    threads[2]?.answer(PASSED);
    expect(await Promise.all([running, waiting])).toEqual([PASSED, PASSED]);
  });

  test('that are all too slow are still served in turn', async () => {
    const { clock, threads, of } = open();
    const slow = [of(1), of(2)];
    await clock.advance(6_000);
    expect(await Promise.all(slow)).toEqual([TOO_LONG, TOO_LONG]);
    const [first, second] = [of(1), of(2)];
    await clock.advance(999);
    threads[2]?.answer(PASSED);
    threads[2]?.answer(PASSED);
    expect(await Promise.all([first, second])).toEqual([PASSED, PASSED]);
  });

  test('have a second from the start of the thread', async () => {
    const { clock, threads, of } = open();
    const [first, second] = [of(1), of(2)];
    await clock.advance(900);
    threads[0]?.begin();
    await clock.advance(999);
    threads[0]?.answer(PASSED);
    threads[0]?.answer(PASSED);
    expect(await Promise.all([first, second])).toEqual([PASSED, PASSED]);
    expect(threads).toHaveLength(1);
  });

  test('can queue sixteen contents', async () => {
    const { evaluator, threads, of } = open();
    const all = Array.from({ length: 17 }, () => of(1));
    expect(await of(1)).toEqual({
      state: 'failed',
      reason: 'could not be searched: too many contents of the same monitor are waiting',
    });
    const other = of(2);
    threads[0]?.answer(PASSED);
    threads[0]?.answer(PASSED);
    threads[0]?.answer(PASSED);
    expect(await other).toEqual(PASSED);
    await evaluator.close();
    expect(await all[16]).toEqual({ state: 'stopped' });
  });
});

describe('the thread', () => {
  test('ends after a minute without work, and starts again when needed', async () => {
    const { clock, threads, large } = open();
    const answered = async (thread: number) => {
      const evaluation = large();
      threads[thread]?.answer(PASSED);
      expect(await evaluation).toEqual(PASSED);
    };
    await answered(0);
    await clock.advance(59_999);
    await answered(0);
    await clock.advance(59_999);
    expect(threads).toMatchObject([{ isStopped: false }]);
    await clock.advance(1);
    expect(threads).toMatchObject([{ isStopped: true }]);
    await answered(1);
  });

  test('that crashes while idle is replaced when needed', async () => {
    const { clock, threads, large } = open();
    const first = large();
    threads[0]?.answer(PASSED);
    await first;
    threads[0]?.die(OUT_OF_MEMORY);
    expect(clock.pending().timers).toBe(0);
    const second = large();
    threads[1]?.answer(PASSED);
    expect(await second).toEqual(PASSED);
  });

  test('ends with the evaluator, as do waiting evaluations', async () => {
    const { clock, evaluator, threads, large } = open();
    const all = [large(), large()];
    await evaluator.close();
    expect(await Promise.all(all)).toEqual([{ state: 'stopped' }, { state: 'stopped' }]);
    expect(threads).toMatchObject([{ isStopped: true, questions: { length: 1 } }]);
    expect(await large()).toEqual({ state: 'stopped' });
    expect(clock.pending().timers).toBe(0);
    expect(threads).toHaveLength(1);
  });
});

test('leaves no listener on the signal', async () => {
  const { threads, large } = open();
  const abort = new AbortController();
  const evaluation = large(abort.signal);
  threads[0]?.answer(PASSED);
  expect(await evaluation).toEqual(PASSED);
  abort.abort('deadline');
  expect(threads).toMatchObject([{ isStopped: false }]);
});

const KIB = 1024;
const keyword = (target: 'html' | 'text'): ContentCheck => ({
  kind: 'keyword',
  target,
  keywords: [{ phrase: 'a', mode: 'must_contain', caseSensitive: false }],
});
const patterns = (...values: string[]): ContentCheck => ({
  kind: 'json',
  assertions: [
    { path: 'a', operator: 'equals', value: '(?i)no pattern'.repeat(20) },
    ...values.map((value) => ({ path: 'a', operator: 'regex' as const, value })),
  ],
});

test.each<[string, ContentCheck, number]>([
  ['html', keyword('html'), 64 * KIB],
  ['text', keyword('text'), 16 * KIB],
  ['json', patterns(), 32 * KIB],
  ['json with a short pattern', patterns('^v\\d+\\.\\d+$'), 32 * KIB],
])('%s is small up to its limit', (_, check, limit) => {
  expect([isSmall(check, 0), isSmall(check, limit), isSmall(check, limit + 1)]).toEqual([
    true,
    true,
    false,
  ]);
});

test.each([
  [['(?i)ok']],
  [['a{1000}']],
  [['\\pL+']],
  [['[Ā-￿]']],
  [['x'.repeat(101)]],
  [['x'.repeat(60), 'x'.repeat(60)]],
])('patterns that are slow to compile are never small: %j', (values) => {
  expect(isSmall(patterns(...values), 10)).toBe(false);
});
