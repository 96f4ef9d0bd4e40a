import { expect, test } from 'vitest';
import { soleProbeHost } from './check.ts';

const REGIONS = ['ash', 'nbg'];

test.each([
  [
    { ash: 'office', nbg: 'office' },
    { name: 'office', regions: REGIONS },
  ],
  [{ ash: 'office', nbg: 'cellar' }, null],
  // Another process, perhaps elsewhere, probes for it.
  [{ ash: 'office' }, null],
])('the sole probe host of %j is %j', (hosts: Record<string, string>, expected) => {
  expect(soleProbeHost(REGIONS, (region) => hosts[region] ?? null)).toEqual(expected);
});
