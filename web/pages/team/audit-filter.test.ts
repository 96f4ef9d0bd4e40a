import { expect, test } from 'vitest';
import { changesOf, readAuditFilter, writeAuditFilter } from './audit-filter.ts';

test.each([
  ['', ''],
  ['?page=1', ''],
  ['?page=-3', ''],
  ['?page=two', ''],
  ['?target_type=monitor&page=2', '?target_type=monitor&page=2'],
  ['?action=monitor.paused&unknown=1', '?action=monitor.paused'],
  ['?user_id=7', '?user_id=7'],
  ['?user_id=ada', ''],
  ['?end_date=2030-01-02&start_date=2030-01-01', '?start_date=2030-01-01&end_date=2030-01-02'],
])('the filter of %j is kept as %j', (given, kept) => {
  expect(writeAuditFilter(readAuditFilter(given))).toBe(kept);
});

test.each([
  [null, null, []],
  [null, { name: 'Shop' }, [{ field: 'name', before: '', after: 'Shop' }]],
  [{ name: 'Shop' }, null, [{ field: 'name', before: 'Shop', after: '' }]],
  [
    { name: 'Shop', tags: ['a'], port: 80 },
    { name: 'Shop', tags: ['a', 'b'], port: 81 },
    [
      { field: 'tags', before: '["a"]', after: '["a","b"]' },
      { field: 'port', before: '80', after: '81' },
    ],
  ],
])('from %j to %j these fields change', (before, after, changes) => {
  expect(changesOf(before, after)).toEqual(changes);
});
