import { describe, expect, it } from 'vitest';
import type { IncidentRound } from '../../app/api.gen.ts';
import {
  decidingRound,
  displayStatusOfFailure,
  explanationOf,
  failureInAWord,
  gapBefore,
  inOrderOf,
  momentsOf,
  regionsOf,
  verdictOf,
} from './rules.ts';

function round(change: Partial<IncidentRound>): IncidentRound {
  return {
    at: '2030-01-01T00:00:00Z',
    verdict: 'up',
    explanation: 'no_region_down',
    votes: { voting: 4, down: 0, needed: 3 },
    bad_round: null,
    regions: [],
    ...change,
  };
}

const seen = (region: string, vote: 'up' | 'down' | 'unknown') =>
  ({ region, vote }) as IncidentRound['regions'][number];

describe('the verdict of a round', () => {
  it.each([
    [{ verdict: 'up', bad_round: null }, 'Up'],
    [{ verdict: 'up', bad_round: 1 }, 'Slow, bad round 1 of 2'],
    [{ verdict: 'down', bad_round: 1 }, 'Down, bad round 1 of 2'],
    [{ verdict: 'down', bad_round: 2 }, 'Down, confirmed'],
    [{ verdict: 'down', bad_round: null }, 'Down'],
    [{ verdict: 'regional', bad_round: 2 }, 'Down in some regions, confirmed'],
  ] as const)('%o is written "%s"', (one, text) => {
    expect(verdictOf(one, 2)).toBe(text);
  });

  it('is decided by the first round that has as many bad ones as it takes', () => {
    const rounds = [null, 1, 2, 3, null].map((bad_round) => round({ bad_round }));
    expect(decidingRound(rounds, 2)).toBe(rounds[2]);
    expect(decidingRound(rounds.slice(0, 2), 2)).toBe(rounds[1]);
    expect(decidingRound([round({}), round({ verdict: 'down' })], 2)?.verdict).toBe('down');
    expect(decidingRound([round({})], 2)).toBeUndefined();
  });
});

describe('the rule as a sentence', () => {
  const rule = {
    regions: 4,
    votes_needed: 3,
    failure_threshold: 2,
    recovery_threshold: 1,
    slow_response_threshold: 800,
  };
  const explain = (type: 'uptime' | 'regional' | 'slow_response', one: Partial<IncidentRound>) =>
    Object.values(explanationOf(type, round(one), rule, (region) => region)).join(' ');

  it('says how many regions voted, and which could not', () => {
    const regions = [seen('ash', 'down'), seen('nbg', 'down'), seen('sin', 'unknown')];
    expect(explain('uptime', { votes: { voting: 3, down: 3, needed: 3 }, regions })).toBe(
      'All 3 regions that could vote say down. It takes 3 of 4 regions in 2 bad rounds in a row. sin could not vote: it counts for neither side.',
    );
  });

  it('says that too few regions are down for the whole', () => {
    expect(explain('regional', { votes: { voting: 4, down: 1, needed: 3 } })).toContain(
      '1 of 4 regions says down: too few',
    );
  });

  it('says from when on an answer is slow', () => {
    expect(explain('slow_response', {})).toBe(
      'It answers, but slower than 800 ms in 2 rounds in a row. ',
    );
  });
});

describe('rounds that are left out', () => {
  const MINUTE = 60_000;
  it.each([
    ['the first round', [0], 0, null],
    ['a recheck', [0, 10_000], 1, null],
    ['the next round', [0, MINUTE], 1, null],
    ['a round that was late', [0, 2 * MINUTE], 1, null],
    ['rounds that are not shown', [0, 3 * MINUTE], 1, 3 * MINUTE],
  ])('%s', (_name, times, index, gap) => {
    expect(gapBefore(times, index, MINUTE)).toBe(gap);
  });

  it('are not guessed while the interval is unknown', () => {
    expect(gapBefore([0, 1e9], 1, Infinity)).toBeNull();
  });
});

it.each([
  [undefined, 'online'],
  ['http_status', 'offline'],
  ['probe_lost', 'unknown'],
] as const)('a region that saw %s is shown as %s', (code, displayStatus) => {
  expect(displayStatusOfFailure(code)).toBe(displayStatus);
});

describe('the timeline', () => {
  it.each([
    ['critical', 'offline'],
    ['warning', 'degraded'],
  ] as const)(
    'of a %s incident has the newest first, with the rounds around the first bad one',
    (severity, shape) => {
      const opened = {
        id: 1,
        type: 'opened' as const,
        description: 'Down.',
        user: null,
        created_at: '2030-01-01T00:02:00Z',
      };
      const moments = momentsOf(
        { activities: [opened], severity },
        [],
        [
          round({ at: '2030-01-01T00:00:00Z' }),
          round({
            at: '2030-01-01T00:01:00Z',
            bad_round: 1,
            votes: { voting: 3, down: 1, needed: 2 },
          }),
        ],
      );
      expect(moments.map(({ kind, displayStatus }) => [kind, displayStatus])).toEqual([
        ['opened', shape],
        ['bad', null],
        ['good', 'online'],
      ]);
    },
  );

  it('has no rounds where none was bad', () => {
    expect(momentsOf({ activities: [], severity: 'critical' }, [], [round({})])).toEqual([]);
  });

  it('has evidence in the order of the regions', () => {
    const evidence = ['nbg', null, 'gone', 'ash'].map((region) => ({ region }));
    expect(inOrderOf(['ash', 'pdx', 'nbg'], evidence).map(({ region }) => region)).toEqual([
      'ash',
      'nbg',
      null,
      'gone',
    ]);
  });

  it('names each region once', () => {
    const regions = [seen('ash', 'up'), seen('nbg', 'up')];
    expect(regionsOf([round({ regions }), round({ regions })])).toEqual(['ash', 'nbg']);
  });
});

describe('a failure without a status code, in a word', () => {
  it.each([
    ['connection_refused', 'refused'],
    ['connection_timeout', 'no answer'],
    ['dns_not_found', 'DNS'],
    ['tls_expired', 'TLS'],
    [null, 'no answer'],
  ])('%s is "%s"', (code, word) => {
    expect(failureInAWord(code)).toBe(word);
  });
});
