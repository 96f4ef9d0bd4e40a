import { expect, test } from 'vitest';
import { readAuditFilter, writeAuditFilter } from './audit-filter.ts';

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
