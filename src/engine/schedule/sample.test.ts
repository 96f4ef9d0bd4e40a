import { expect, test } from 'vitest';
import { settingsOf } from '../../../test/support/rounds.ts';
import type { CheckRequest } from '../../model/check.ts';
import type { Question } from '../verdict/region-health-monitor.ts';
import type { Plan } from './round.ts';
import { chooseSample, type SampleOptions } from './network-diagnosis.ts';

const QUESTION: Question = {
  scope: null,
  fault: 'uplink',
  regions: ['ash', 'pdx'],
  size: 5,
  isQuarantined: false,
  askedAt: 0,
};

function planOf(monitorId: number, fields: Partial<CheckRequest & { host: string }> = {}): Plan {
  const host = fields.host ?? `www.example-${monitorId}.com`;
  const port = { type: 'port', monitorId, timeoutMs: 30_000, host, port: 443 } as const;
  return {
    monitorId,
    teamId: 1,
    shard: 0,
    version: 1,
    revision: 1,
    regions: ['ash', 'pdx', 'nbg'],
    settings: settingsOf(),
    request: { ...port, ...fields } as CheckRequest,
  };
}

const http = (monitorId: number, method: string): Plan =>
  planOf(monitorId, {
    type: 'http',
    url: `https://www.example-${monitorId}.com/`,
    method,
    errorTextDetection: true,
    content: { kind: 'keyword' },
  } as never);

function choose(plans: Plan[], options: Partial<SampleOptions> = {}) {
  return chooseSample({
    plans,
    question: QUESTION,
    tracker: { isAnswering: () => true, canDisprove: () => true, networkOf: () => null },
    regions: ['ash', 'pdx'],
    wasAskedRecently: () => false,
    drawn: 0,
    ...options,
  });
}

const plans = (count: number, hostOf?: (id: number) => string) =>
  Array.from({ length: count }, (_, index) =>
    planOf(index + 1, hostOf === undefined ? {} : { host: hostOf(index + 1) }),
  );
const ids = ({ targets }: ReturnType<typeof choose>) =>
  targets.map(({ monitorId }) => monitorId).toSorted((a, b) => a - b);

test('a sample has the requested size, light requests, and alternates between the suspected regions', () => {
  const { targets } = choose(plans(300));
  expect(new Set(targets.map(({ monitorId }) => monitorId)).size).toBe(5);
  expect(targets.map(({ region }) => region)).toEqual(['ash', 'pdx', 'ash', 'pdx', 'ash']);
  expect(new Set(targets.map(({ request }) => request.timeoutMs))).toEqual(new Set([3_000]));
});

test('samples differ, and over time cover all targets', () => {
  const asked = new Set<number>();
  for (let drawn = 0, turn = 0; turn < 60; turn += 1) {
    const sample = choose(plans(100), { drawn });
    for (const id of ids(sample)) asked.add(id);
    drawn = sample.drawn;
  }
  expect(asked.size).toBe(100);
});

test('finds all targets when there are few', () => {
  for (let count = 1; count <= 5; count += 1) expect(ids(choose(plans(count)))).toHaveLength(count);
});

test('takes one target per domain and network', () => {
  expect(choose(plans(50, (id) => `www${id}.example.com`)).targets).toHaveLength(1);
  const tracker = {
    isAnswering: () => true,
    canDisprove: () => true,
    networkOf: (id: number) => id % 2,
  };
  expect(choose(plans(50), { tracker }).targets).toHaveLength(2);
});

test('sends safe methods only, and evaluates no content [25.4]', () => {
  const sample = choose([http(1, 'POST'), http(2, 'GET'), http(3, 'HEAD'), http(4, 'DELETE')]);
  expect(ids(sample)).toEqual([2, 3]);
  for (const { request } of sample.targets) {
    expect(request).toMatchObject({ errorTextDetection: false });
    expect(request).not.toHaveProperty('content');
  }
});

test('takes failing targets only while the network is in doubt, after the others', () => {
  const tracker = {
    isAnswering: (id: number) => id > 2,
    canDisprove: () => true,
    networkOf: () => null,
  };
  expect(ids(choose(plans(4), { tracker }))).toEqual([3, 4]);
  const question = { ...QUESTION, isQuarantined: true };
  const all = choose(plans(4), { tracker, question }).targets.map(({ monitorId }) => monitorId);
  expect(all.slice(0, 2).toSorted()).toEqual([3, 4]);
  expect(all).toHaveLength(4);
});

test('leaves out targets that were just asked, prove nothing, or have no probe here', () => {
  expect(ids(choose(plans(3), { wasAskedRecently: (id) => id === 1 }))).toEqual([2, 3]);
  const tracker = {
    isAnswering: () => true,
    canDisprove: (_fault: string, id: number) => id === 2,
    networkOf: () => null,
  };
  expect(ids(choose(plans(3), { tracker }))).toEqual([2]);
  expect(ids(choose(plans(3), { regions: ['sin'] }))).toEqual([]);
});
