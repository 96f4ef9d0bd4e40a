import { describe, expect, test } from 'vitest';
import { silentLog } from '../../lib/log.ts';
import { systemClock } from '../../lib/clock.ts';
import type { ContentCheck } from '../../model/content.ts';
import { evaluateContent } from './evaluate.ts';
import { createContentEvaluator } from './evaluator.ts';
import type { Requester, ContentEvaluator } from './evaluator.ts';
import { startContentThread } from './thread.ts';
import { closedAfterEach } from '../../../test/support/closing.ts';

const MIB = 1024 * 1024;
const never = new AbortController().signal;
const askerOf = (monitorId: number): Requester => ({ monitorId, isContended: () => false });
const ASKER = askerOf(1);
const html = 'text/html; charset=utf-8';

const keyword = (phrase: string, target: 'html' | 'text' = 'text'): ContentCheck => ({
  kind: 'keyword',
  target,
  keywords: [{ phrase, mode: 'must_contain', caseSensitive: false }],
});
const STATUS: ContentCheck = {
  kind: 'json',
  assertions: [{ path: 'status', operator: 'regex', value: '(?i)^OK$' }],
};
const passed = { state: 'evaluated', outcome: { passed: true } };

const evaluators = closedAfterEach<ContentEvaluator>();

function open(memoryMiB?: number): ContentEvaluator {
  const evaluator = createContentEvaluator({
    clock: systemClock,
    log: silentLog,
    startThread: (options) =>
      startContentThread(memoryMiB === undefined ? options : { ...options, memoryMiB }),
  });
  evaluators.push(evaluator);
  return evaluator;
}

function page(bytes: number, tail: string): Buffer {
  const row = '<div class="row"><h2>Title</h2><p>Some <b>text</b> &amp; more</p></div>\n';
  return Buffer.concat([Buffer.alloc(bytes - Buffer.byteLength(tail), row), Buffer.from(tail)]);
}

test('a page of 10 MiB is searched without blocking the main thread', async () => {
  let iterations = 0;
  let turn = setImmediate(function count() {
    iterations += 1;
    turn = setImmediate(count);
  });
  const body = page(10 * MIB, '<p>The <i>very</i> end');
  const evaluation = await open().evaluate(keyword('the very end'), body, html, never, ASKER);
  clearImmediate(turn);
  expect(evaluation).toMatchObject(passed);
  expect(iterations).toBeGreaterThan(20);
});

test.each([
  ['a page', keyword('Title Some'), page(MIB, ''), html],
  ['a page as it was sent', keyword('<b>text</b>', 'html'), page(MIB, ''), html],
  [
    'another charset',
    keyword('CAFÉ'),
    Buffer.alloc(MIB, 'caf\xe9 ', 'latin1'),
    'text/html; charset=latin1',
  ],
  ['a short answer and a large pattern', STATUS, Buffer.from('{"status":"ok"}'), null],
  ['no JSON', STATUS, page(MIB, ''), html],
])('%s has the same outcome as on the main thread', async (_, check, body, contentType) => {
  const outcome = evaluateContent(check, body, contentType);
  const evaluation = await open().evaluate(check, body, contentType, never, ASKER);
  expect(evaluation).toEqual({ state: 'evaluated', outcome });
});

describe('bytes in shared memory', () => {
  test('are copied, so that adjacent bytes stay valid', async () => {
    const memory = Buffer.concat([page(MIB, ''), Buffer.from('beside')]);
    const check = keyword('Title');
    expect(await open().evaluate(check, memory.subarray(0, MIB), html, never, ASKER)).toMatchObject(
      passed,
    );
    expect(memory.subarray(MIB).toString()).toBe('beside');
    // Small buffers share a pool, which can't be transferred.
    const pooled = Buffer.from('{"status":"ok"}');
    expect(await open().evaluate(STATUS, pooled, null, never, ASKER)).toMatchObject(passed);
    expect(pooled.toString()).toBe('{"status":"ok"}');
  });

  test('other bytes are transferred', async () => {
    const body = page(MIB, '');
    expect(await open().evaluate(keyword('Title'), body, html, never, ASKER)).toMatchObject(passed);
    expect(body).toHaveLength(0);
  });
});

test('an aborted evaluation ends at once, and others continue', async () => {
  const evaluator = open();
  const abort = new AbortController();
  const slow: ContentCheck = {
    kind: 'json',
    assertions: Array.from({ length: 10 }, (_, index) => ({
      path: '$',
      operator: 'regex' as const,
      value: `(?i)(x+x+)+y${index}`,
    })),
  };
  const first = evaluator.evaluate(
    slow,
    Buffer.from(`"${'x'.repeat(9 * MIB)}"`),
    null,
    abort.signal,
    ASKER,
  );
  const second = evaluator.evaluate(keyword('Title'), page(MIB, ''), html, never, ASKER);
  abort.abort('deadline');
  expect(await first).toEqual({ state: 'stopped' });
  expect(await second).toMatchObject(passed);
});

test('a content that needs too much memory fails alone', async () => {
  // The thread itself and the small page need 14 MiB, or a little more when its modules are not cached yet; the monster needs 110.
  const evaluator = open(48);
  const monster = Buffer.alloc(10 * MIB, '<p>ab');
  const [first, second] = await Promise.all([
    evaluator.evaluate(keyword('x'), monster, html, never, ASKER),
    evaluator.evaluate(keyword('Title'), page(MIB, ''), html, never, ASKER),
  ]);
  expect(first).toEqual({ state: 'failed', reason: 'took too much memory to search' });
  expect(second).toMatchObject(passed);
});

test('huge contents of two monitors, four regions each, give way to a third one', async () => {
  const evaluator = open();
  const monster: ContentCheck = {
    kind: 'json',
    assertions: [{ path: 'a', operator: 'regex', value: String.raw`\b(a|ab)*\w{1,300}[^\w]` }],
  };
  const ask = (check: ContentCheck, monitorId: number) =>
    evaluator.evaluate(
      check,
      Buffer.from(JSON.stringify({ a: 'a'.repeat(4 * MIB), status: 'OK' })),
      null,
      never,
      askerOf(monitorId),
    );
  const monsters = [1, 1, 1, 1, 2, 2, 2, 2].map((monitorId) => ask(monster, monitorId));
  expect(await ask(STATUS, 3)).toMatchObject(passed);
  const tooLong = { state: 'failed', reason: 'took too long to search' };
  expect(await Promise.all(monsters)).toEqual(monsters.map(() => tooLong));
});
