import { describe, expect, test } from 'vitest';
import {
  isFiltering,
  NO_FILTER,
  readFilter,
  SORTS,
  STATUS_FILTERS,
  writeFilter,
  type Filter,
} from './filter.ts';

describe('the filter in the address', () => {
  test.each<[string, Partial<Filter>]>([
    ['', {}],
    ['?q=shop+eu', { text: 'shop eu' }],
    [
      '?status=offline&type=http&tag=a%26b&group=7&sort=uptime',
      {
        status: 'offline',
        type: 'http',
        tag: 'a&b',
        group: 7,
        sort: 'uptime',
      },
    ],
    ['?status=ajar&group=-1&sort=random', {}],
    ['?group=1.5', {}],
    ['?group=x&unknown=1', {}],
  ])('%s is read', (search, expected) => {
    expect(readFilter(search)).toEqual({ ...NO_FILTER, ...expected });
  });

  test('what is written is read again, whatever is in it', () => {
    const texts = ['', 'shop', ' a  b ', 'ä&ö=ü?#%', '日本', '+', '"', '\n'];
    const groups = [null, 1, Number.MAX_SAFE_INTEGER];
    let tried = 0;
    for (const text of texts)
      for (const status of STATUS_FILTERS)
        for (const sort of SORTS)
          for (const group of groups)
            for (const type of ['', 'cron'])
              for (const tag of texts) {
                const filter = { text, status, sort, group, type, tag };
                expect(readFilter(writeFilter(filter))).toEqual(filter);
                tried += 1;
              }
    expect(tried).toBe(8 * 7 * 4 * 3 * 2 * 8);
  });

  test('an order alone leaves nothing out', () => {
    expect(isFiltering({ ...NO_FILTER, sort: 'name' })).toBe(false);
    expect(writeFilter({ ...NO_FILTER, sort: 'name' })).toBe('?sort=name');
    for (const part of [
      { text: 'a' },
      { status: 'paused' as const },
      { type: 'http' },
      { tag: 'a' },
      { group: 1 },
    ])
      expect(isFiltering({ ...NO_FILTER, ...part })).toBe(true);
  });
});
