import { expect, test } from 'vitest';
import { checkResult } from '../../../test/support/rounds.ts';
import type { FailureCode } from '../../model/failure.ts';
import {
  disprovedFaults,
  hasFault,
  isExplainedBy,
  isName,
  isPrivateAddress,
  NETWORK_FAULTS,
  type NetworkFault,
} from './network-fault.ts';

const seen = (code: FailureCode | null, remoteAddress: string | null, isOnLink?: true) =>
  checkResult(code === null ? 'up' : 'down', {
    failure: code === null ? null : { code, text: 'Why' },
    remoteAddress,
    ...(isOnLink && { isOnLink }),
  });

const isDisproved = (fault: NetworkFault, result: ReturnType<typeof seen>, host: string) =>
  hasFault(disprovedFaults(result, isName(host)), fault);

const faults = (holds: (fault: NetworkFault) => boolean) =>
  NETWORK_FAULTS.filter(holds).toSorted().join(' ');
const sorted = (text: string) => text.split(' ').toSorted().join(' ');

test.each<[FailureCode | null, string | null, string, string, string]>([
  // What was seen, the address, the host, the faults that explain it, and those that it disproves.
  [null, '203.0.113.7', 'a.example', '', 'uplink names'],
  [null, '203.0.113.7', '203.0.113.7', '', 'uplink'],
  [null, '10.1.2.3', 'a.example', '', 'internal names'],
  [null, '2001:db8::7', 'a.example', '', 'uplink names ipv6'],
  [null, 'fd00::7', 'a.example', '', 'internal names'],
  ['http_status', '203.0.113.7', 'a.example', '', 'uplink names'],
  ['connection_timeout', '203.0.113.7', 'a.example', 'uplink', 'names'],
  ['connection_timeout', '2001:db8::7', '[2001:db8::7]', 'uplink ipv6', ''],
  ['connection_timeout', '172.16.0.1', 'a.example', 'internal', 'names'],
  ['dns_timeout', null, 'a.example', 'uplink names', ''],
  ['target_not_allowed', '10.0.0.1', 'a.example', '', ''],
])('%s at %s as %s is explained by [%s] and disproves [%s]', (code, address, host, ours, not) => {
  const result = seen(code, address);
  expect(faults((fault) => isExplainedBy(fault, result))).toBe(sorted(ours));
  expect(faults((fault) => isDisproved(fault, result, host))).toBe(sorted(not));
});

test('a target on link says nothing of the way beyond, and nothing of ours explains its failure [25.10]', () => {
  for (const code of [null, 'connection_timeout'] as const) {
    const result = seen(code, '203.0.113.7', true);
    expect(NETWORK_FAULTS.filter((fault) => isExplainedBy(fault, result))).toEqual([]);
    expect(NETWORK_FAULTS.filter((fault) => isDisproved(fault, result, 'a.example'))).toEqual([]);
  }
});

test('a check that our own side broke off says nothing of any network', () => {
  for (const code of ['aborted', 'probe_lagged', 'probe_error'] as const) {
    const failure = { code, text: 'Why' };
    const result = checkResult('unknown', { failure, remoteAddress: '203.0.113.7' });
    expect(NETWORK_FAULTS.filter((fault) => isExplainedBy(fault, result))).toEqual([]);
    expect(NETWORK_FAULTS.filter((fault) => isDisproved(fault, result, 'a.example'))).toEqual([]);
  }
});

test.each([
  ['10.0.0.1', true],
  ['172.15.0.1', false],
  ['172.31.255.1', true],
  ['192.168.1.1', true],
  ['100.64.0.1', true],
  ['100.128.0.1', false],
  ['127.0.0.1', true],
  ['169.254.1.1', true],
  ['203.0.113.1', false],
  ['::1', true],
  ['fe80::1', true],
  ['fd12::1', true],
  ['2001:db8::1', false],
])('%s is private: %s', (address, expected) => {
  expect(isPrivateAddress(address)).toBe(expected);
});

test.each([
  ['a.example', true],
  ['localhost', true],
  ['203.0.113.7', false],
  ['[2001:db8::7]', false],
  ['2001:db8::7', false],
  ['1.2.3', true],
])('%s is a name: %s', (host, expected) => {
  expect(isName(host)).toBe(expected);
});
