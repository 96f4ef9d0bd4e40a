import { expect, test } from 'vitest';
import type { MachineReport } from '../../model/machine.ts';
import { findingOf, type NetworkFault } from './network-fault.ts';

const WELL: MachineReport = {
  ipv4: 'works',
  ipv6: 'works',
  gateway: 'works',
  resolver: 'works',
  gatewayAddress: '192.0.2.1',
  resolverAddress: '192.0.2.53',
};

test.each<[NetworkFault, Partial<MachineReport>, string, string | null]>([
  ['uplink', {}, 'works', null],
  ['uplink', { ipv4: 'broken', ipv6: 'broken' }, 'cut', 'no default route'],
  ['uplink', { ipv4: 'broken' }, 'works', null],
  ['uplink', { gateway: 'broken' }, 'cut', 'gateway 192.0.2.1'],
  ['uplink', { resolver: 'broken' }, 'cut', 'name server 192.0.2.53'],
  // A gateway that answers says nothing of what is behind it.
  ['uplink', { resolver: 'unknown' }, 'unknown', null],
  ['names', { resolver: 'broken' }, 'cut', 'name server 192.0.2.53'],
  ['names', { gateway: 'broken' }, 'works', null],
  ['ipv6', { ipv6: 'broken' }, 'cut', 'IPv6'],
  ['ipv6', {}, 'unknown', null],
  ['internal', { resolver: 'broken' }, 'works', null],
  ['internal', { gateway: 'broken' }, 'cut', 'gateway'],
])('%s with %j: %s, %s', (fault, parts, verdict, reason) => {
  const finding = findingOf(fault, [{ ...WELL, ...parts }]);
  expect(finding.verdict).toBe(verdict);
  if (reason === null) expect(finding.reason).toBeNull();
  else expect(finding.reason).toContain(reason);
});

test('of several machines, all must know of it', () => {
  const cut = { ...WELL, gateway: 'broken' } as const;
  expect(findingOf('uplink', [cut, cut]).verdict).toBe('cut');
  expect(findingOf('uplink', [cut, WELL]).verdict).toBe('works');
  expect(findingOf('uplink', [cut, null]).verdict).toBe('unknown');
  expect(findingOf('uplink', []).verdict).toBe('unknown');
});
