import { expect, test } from 'vitest';
import type { NewestResult } from '../../model/state.ts';
import { newestText, parseNewest } from './monitor-state.ts';

const AT = Date.UTC(2030, 0, 1);

function result(overrides: Partial<NewestResult> = {}): NewestResult {
  return { responseTimeMs: 123.456, statusCode: 200, checkedAt: AT, failure: null, ...overrides };
}

test('what is usual is left out', () => {
  const newest = {
    ash: result(),
    pdx: result({ responseTimeMs: 98.2, checkedAt: AT + 1 }),
    nbg: result({ responseTimeMs: null, statusCode: null, checkedAt: AT - 20 }),
    sin: result({ statusCode: 503, checkedAt: AT + 3, failure: 'http_status' }),
  };
  expect(newestText(newest)).toBe(
    'o5uatc00 ash,2n9c pdx,23rs,1 nbg,,-k,- sin,2n9c,3,503,http_status',
  );
});

test.each([
  [{}],
  [{ ash: result() }],
  [{ ash: result({ responseTimeMs: 0 }), pdx: result({ statusCode: null }) }],
  [{ ash: result({ statusCode: 204 }), 'eu-west-1': result({ checkedAt: AT + 0.125 }) }],
  [{ ash: result({ failure: 'connection_refused', responseTimeMs: null, statusCode: null }) }],
  [{ ash: result({ failure: 'keyword_missing' }), pdx: result({ checkedAt: AT - 3_600_000 }) }],
  [{ ash: result({ isManual: true, failure: 'http_status' }), pdx: result() }],
  [{ ash: result({ responseTimeMs: 1.00005 }), pdx: result({ responseTimeMs: 60_000 }) }],
  [{ 'a region': result(), 'other,region': result(), '{': result() }],
])('reads what it wrote: %j', (newest) => {
  expect(parseNewest(newestText(newest))).toEqual(newest);
});

test('regions keep their order', () => {
  const newest = { sin: result(), ash: result(), nbg: result() };
  expect(Object.keys(parseNewest(newestText(newest)))).toEqual(['sin', 'ash', 'nbg']);
});
