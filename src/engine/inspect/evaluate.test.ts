import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stateOf } from '../../../test/support/rounds.ts';
import { closeIncident, statusOf } from '../record/confirmations.ts';
import type { Finding, InspectionKind, InspectionResult } from '../../model/inspection.ts';
import type { MonitorState } from '../../model/state.ts';
import { evaluateInspection, type EvaluatedInspection } from './evaluate.ts';
import { sslFacts } from '../../../test/support/target-facts.ts';

const EXPIRING: Finding = {
  says: 'bad',
  condition: 'ssl_expiring',
  code: 'tls_expiring',
  text: 'TLS certificate expires in 9 days, on 2030-01-10',
};
const INVALID: Finding = {
  says: 'bad',
  condition: 'ssl_invalid',
  code: 'tls_expired',
  text: 'TLS certificate expired on 2029-12-31',
};
const FINDINGS: Record<string, Finding> = {
  good: { says: 'good' },
  expiring: EXPIRING,
  invalid: INVALID,
  unknown: { says: 'unknown' },
};

const FACTS = sslFacts(Date.UTC(2029, 11, 31), 'ab');
const KNOWN: InspectionResult = { state: 'known', facts: FACTS };

const TARGET = 'www.example.com:443';

/** Looks a minute apart, from minute 1 on. `edit` changes the monitor's settings. */
function play(
  words: string,
  from: MonitorState = stateOf({ status: 'online' }),
  kind: InspectionKind = 'ssl',
) {
  let state = from;
  const decisions: EvaluatedInspection[] = [];
  words.split(' ').forEach((word, index) => {
    if (word === 'edit') state = { ...state, revision: state.revision + 1 };
    else {
      const at = (index + 1) * 60_000;
      const decision = evaluateInspection(state, {
        kind,
        target: TARGET,
        finding: FINDINGS[word]!,
        result: KNOWN,
        at,
      });
      state = decision.state;
      decisions.push(decision);
    }
  });
  const incidents = decisions.flatMap((one) => one.incidents);
  return {
    state,
    incidents,
    told: incidents.map(({ kind: what, condition, at }) => `${what} ${condition} ${at / 60_000}`),
    spans: decisions.flatMap((one) =>
      one.spans.map(({ status, at }) => `${status} ${at / 60_000}`),
    ),
    rechecks: decisions.map((one) => (one.recheckAfterMs ?? 0) / 1_000),
  };
}

describe('what fails is confirmed by one recheck after 60 s [22.6, 22.7]', () => {
  test.each([
    // looks | what is told, with the minute | status | seconds until the recheck that each asks for
    ['good', [], 'online', [0]],
    ['expiring', [], 'online', [60]],
    ['expiring good', [], 'online', [60, 0]],
    ['expiring expiring', ['open ssl_expiring 1'], 'degraded', [60, 0]],
    ['invalid invalid', ['open ssl_invalid 1'], 'offline', [60, 0]],
    ['expiring invalid', ['open ssl_invalid 1'], 'offline', [60, 0]],
    ['invalid unknown invalid', ['open ssl_invalid 1'], 'offline', [60, 60, 0]],
    ['invalid invalid good', ['open ssl_invalid 1', 'resolve ssl_invalid 3'], 'online', [60, 0, 0]],
    ['invalid invalid unknown', ['open ssl_invalid 1'], 'offline', [60, 0, 0]],
    [
      'expiring expiring invalid invalid',
      ['open ssl_expiring 1', 'resolve ssl_expiring 3', 'open ssl_invalid 3'],
      'offline',
      [60, 0, 60, 0],
    ],
    [
      'invalid invalid expiring expiring good',
      [
        'open ssl_invalid 1',
        'resolve ssl_invalid 3',
        'open ssl_expiring 3',
        'resolve ssl_expiring 5',
      ],
      'online',
      [60, 0, 60, 0, 0],
    ],
    // An edit begins the count anew, and leaves what is confirmed.
    ['invalid edit invalid', [], 'online', [60, 60]],
    ['invalid edit invalid invalid', ['open ssl_invalid 3'], 'offline', [60, 60, 0]],
    ['invalid invalid edit invalid', ['open ssl_invalid 1'], 'offline', [60, 0, 0]],
  ] as const)('%s [22.6]', (words, told, status, rechecks) => {
    const played = play(words);
    expect(played.told).toEqual(told);
    expect(played.state.status).toBe(status);
    expect(played.rechecks).toEqual(rechecks);
  });
});

const look = (state: MonitorState, seconds: number, word: string) =>
  evaluateInspection(state, {
    kind: 'ssl',
    target: TARGET,
    finding: FINDINGS[word]!,
    result: KNOWN,
    at: seconds * 1_000,
  });

const elsewhere = (state: MonitorState, word: string) =>
  evaluateInspection(
    { ...state, revision: 2 },
    {
      kind: 'ssl',
      target: 'other.example.com:443',
      finding: FINDINGS[word]!,
      result: KNOWN,
      at: 600_000,
    },
  );

describe('what comes before the 60 s are over', () => {
  test.each([
    [2, false, 58_000],
    [30, false, 30_000],
    [59.5, true, null],
    [60, true, null],
    [600, true, null],
  ])('a bad look after %d s confirms: %s [22.6]', (seconds, isConfirmed, recheckAfterMs) => {
    const first = look(stateOf({ status: 'online' }), 0, 'invalid');
    const second = look(first.state, seconds, 'invalid');
    expect(second.incidents).toHaveLength(isConfirmed ? 1 : 0);
    expect(second.recheckAfterMs).toBe(recheckAfterMs);
    const third = look(second.state, Math.max(seconds, 60), 'invalid');
    expect([second, third].flatMap((one) => one.incidents)).toMatchObject([{ at: 0 }]);
  });

  test('a bad look after the clock was set back confirms nothing, and begins anew', () => {
    const first = look(stateOf({ status: 'online' }), 7_200, 'invalid');
    const second = look(first.state, 3, 'invalid');
    expect([second.incidents, second.recheckAfterMs]).toEqual([[], 60_000]);
    expect(look(second.state, 63, 'invalid').incidents).toMatchObject([
      { kind: 'open', at: 3_000 },
    ]);
  });

  test('two looks of processes whose clocks differ by a second are no clock that was set back', () => {
    const first = look(stateOf({ status: 'online' }), 60, 'invalid');
    const second = look(first.state, 59.5, 'invalid');
    expect([second.incidents, second.recheckAfterMs]).toEqual([[], 60_500]);
    expect(look(second.state, 120, 'invalid').incidents).toMatchObject([{ at: 60_000 }]);
  });

  test('a good look clears it at any time', () => {
    const first = look(stateOf({ status: 'online' }), 0, 'invalid');
    expect(look(first.state, 2, 'good').state.confirmations).toEqual({});
  });
});

describe('another target', () => {
  test.each(['good', 'unknown', 'invalid'])(
    'that is %s ends what was confirmed of the one before [22.12]',
    (word) => {
      const { state } = play('invalid invalid');
      const moved = elsewhere(state, word);
      expect(moved.incidents).toMatchObject([
        { kind: 'resolve', type: 'ssl', reason: 'target_changed', at: 600_000 },
      ]);
      expect(moved.state.status).toBe('online');
      expect(moved.spans).toMatchObject([{ status: 'online', at: 600_000 }]);
      expect(moved.recheckAfterMs).toBe(word === 'invalid' ? 60_000 : null);
    },
  );

  test('is looked at anew [22.11]', () => {
    const { state } = play('invalid');
    expect(elsewhere(state, 'invalid').incidents).toEqual([]);
  });
});

test('the escalation resolves the lesser incident into the greater one', () => {
  expect(play('expiring expiring invalid invalid').incidents).toMatchObject([
    { kind: 'open', type: 'ssl', severity: 'warning', rootCause: EXPIRING.text },
    { kind: 'resolve', type: 'ssl', reason: 'changed_over', into: 'ssl_invalid' },
    {
      kind: 'open',
      type: 'ssl',
      severity: 'critical',
      from: 'ssl_expiring',
      failureCode: 'tls_expired',
    },
  ]);
});

test('an incident keeps what was seen of the certificate, and when', () => {
  expect(play('invalid invalid').incidents[0]).toMatchObject({
    regions: null,
    evidence: [
      {
        region: null,
        failure: { code: 'tls_expired', text: INVALID.text },
        checkedAt: 120_000,
        attempts: [60_000, 120_000],
        remoteAddress: '192.0.2.10',
        answer: {
          tls: {
            protocol: 'TLSv1.3',
            subject: 'www.example.com',
            validTo: '2029-12-31T00:00:00.000Z',
            chain: [
              { subject: 'R11', issuer: 'ISRG Root X1', validTo: '2040-01-02T00:00:00.000Z' },
            ],
          },
        },
      },
    ],
  });
});

describe('the status', () => {
  test('changes when the trouble began and when it ended', () => {
    expect(play('good invalid invalid good').spans).toEqual(['offline 2', 'online 4']);
  });

  test('of a monitor that no round has judged stays pending, whatever is found', () => {
    const pending = stateOf();
    expect(play('good good', pending).state).toBe(pending);
    for (const words of [
      'expiring',
      'expiring expiring',
      'invalid invalid',
      'invalid invalid good',
    ]) {
      const played = play(words, pending);
      expect([words, played.state.status, played.spans]).toEqual([words, 'pending', []]);
    }
    expect(play('expiring expiring', pending).state.confirmations.ssl?.open).toBe('ssl_expiring');
  });

  test('is that of a worse condition of another confirmation', () => {
    const down = play('invalid invalid').state.confirmations.ssl!;
    const from = stateOf({
      status: 'offline',
      confirmations: { reachability: { ...down, open: 'uptime' } },
    });
    const { state, spans } = play('expiring expiring', from);
    expect([state.status, spans]).toEqual(['offline', []]);
    expect(state.confirmations.reachability).toBe(from.confirmations.reachability);
  });
});

describe('what nobody watched is unobserved, also where an inspection changes the status after it', () => {
  test.each([
    // looks, one a minute | watched until that minute | spans, with the minute of their beginning
    ['good invalid invalid', 5, ['offline 2']],
    ['good invalid invalid', 1, ['unobserved 1', 'offline 2']],
    ['invalid good invalid invalid', 3.5, ['offline 3', 'unobserved 3.5', 'offline 4']],
    ['good', 0.5, []],
  ])('%s, watched until minute %s', (words, minute, spans) => {
    const from = stateOf({ status: 'online', observedUntil: minute * 60_000 });
    expect(play(words, from).spans).toEqual(spans);
  });

  test('nothing is said of a monitor that nobody has looked at yet', () => {
    const from = stateOf({ status: 'pending', observedUntil: 0 });
    expect(play('invalid invalid', from).spans).toEqual([]);
  });
});

test('nothing that is looked at changes what was counted of rounds, and the status is the worst condition', () => {
  const anyWords = fc.array(fc.constantFrom('good', 'expiring', 'invalid', 'unknown', 'edit'), {
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(anyWords, (words) => {
      const from = stateOf({ status: 'online', lastSlot: 5, runAt: 7, observedUntil: 9 });
      const { state, told } = play(words.join(' '), from);
      expect(state).toMatchObject({ lastSlot: 5, runAt: 7, observedUntil: 9 });
      expect(state.status).toBe(statusOf(state.confirmations));
      const opened = told.filter((one) => one.startsWith('open')).length;
      const resolved = told.filter((one) => one.startsWith('resolve')).length;
      expect(opened - resolved).toBe(state.confirmations.ssl?.open ? 1 : 0);
    }),
  );
});

describe('after an edit of the target', () => {
  const invalid = play('invalid invalid').state;
  const closed = {
    ...invalid,
    confirmations: closeIncident(invalid.confirmations, 'ssl', { id: 7, startedAt: 1 }),
  };

  test.each([
    ['open', invalid, undefined],
    ['closed by hand', closed, [{ id: 7, startedAt: 1 }]],
    ['closed by hand, failing since', play('invalid', closed).state, [{ id: 7, startedAt: 1 }]],
  ])('the condition of the old one ends: %s', (_, before, closedByHand) => {
    const edited = { ...before, revision: before.revision + 1 };
    const finding = { says: 'good' } as const;
    const found = {
      kind: 'ssl',
      target: 'other.example:443',
      finding,
      result: UNKNOWN,
      at: 9_000_000,
    } as const;
    for (const one of [found, { ...found, finding: { says: 'unknown' } as const }]) {
      const decision = evaluateInspection(edited, one);
      expect(decision.state.confirmations.ssl).toBeUndefined();
      expect(decision.incidents).toMatchObject([{ kind: 'resolve', reason: 'target_changed' }]);
      expect(decision.incidents[0]).toEqual(
        expect.objectContaining(closedByHand ? { closedByHand } : {}),
      );
    }
  });
});

const UNKNOWN = { state: 'unknown', reason: 'Nothing was found out' } as const;
