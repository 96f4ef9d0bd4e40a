import { describe, expect, test } from 'vitest';
import { routesOf, type Loss } from './requests.ts';

const probe = (name: string, heardAt: number, takesDirect = true) => ({
  probe: name,
  heardAt,
  takesDirect,
});
const lostBy = (by: string | null): Loss => ({ probe: by, sentAt: 1_000, at: 4_000 });

/** Names of those that requests 0 to `count - 1` are sent to: a probe, `any`, or `none`. */
function routed(
  count: number,
  lost: Loss | null,
  taking: Parameters<typeof routesOf>[1],
  hasSilent = false,
): string[] {
  const requests = Array.from({ length: count }, (_, id) => ({ id, lost }));
  const { toAny, toOne, waiting } = routesOf(requests, taking, { hasSilent, turn: 0 });
  const routes = new Map([
    ...toAny.map(({ id }) => [id, 'any'] as const),
    ...waiting.map(({ id }) => [id, 'none'] as const),
    ...[...toOne].flatMap(([{ probe: name }, list]) => list.map(({ id }) => [id, name] as const)),
  ]);
  return requests.map(({ id }) => routes.get(id)!);
}

describe('a request', () => {
  test.each<[string, Parameters<typeof routed>, string[]]>([
    ['goes to any probe', [2, null, [probe('a', 5_000), probe('b', 5_000)]], ['any', 'any']],
    [
      'goes to each in turn while another one is silent',
      [3, null, [probe('a', 5_000), probe('b', 5_000)], true],
      ['a', 'b', 'a'],
    ],
    [
      'goes to any probe if these are of a release that has no subject of its own',
      [2, null, [probe('a', 5_000, false)], true],
      ['any', 'any'],
    ],
    [
      'that nobody took goes to one that was heard of since',
      [2, lostBy(null), [probe('a', 900), probe('b', 1_100)]],
      ['b', 'b'],
    ],
    ['that nobody took waits for a sign of life', [1, lostBy(null), [probe('a', 900)]], ['none']],
    [
      'that a probe lost goes to another one',
      [2, lostBy('a'), [probe('a', 3_900), probe('b', 1_100)]],
      ['b', 'b'],
    ],
    [
      'that its only probe lost goes there if that is heard of again',
      [1, lostBy('a'), [probe('a', 4_100)]],
      ['a'],
    ],
    ['without a probe waits', [1, lostBy('a'), []], ['none']],
  ])('%s', (_name, given, expected) => {
    expect(routed(...given)).toEqual(expected);
  });
});
