import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deliveryGap, type Undelivered } from './delivery-gap.ts';
import {
  MAX_LISTED_INCIDENTS,
  MESSAGE_KINDS,
  type MessageContent,
  type MessageKind,
  type MessageIncident,
} from '../message/content.ts';

const GAP = { from: 1_000, to: 9_000, reason: 'Bell answered HTTP 503.' };

function incident(incidentId: number, more: Partial<MessageIncident> = {}): MessageIncident {
  return {
    incidentId,
    monitorId: incidentId,
    name: `Shop ${incidentId}`,
    url: null,
    type: 'uptime',
    severity: 'critical',
    cause: 'HTTP 503',
    regions: [],
    startedAt: 2_000 + incidentId,
    endedAt: null,
    ending: null,
    acknowledged: false,
    evidence: null,
    ...more,
  };
}

function contentOf(kind: MessageKind, troubles: MessageIncident[], team = 1): MessageContent {
  return {
    kind,
    team: { id: team, name: 'Harbour' },
    severity: troubles[0]?.severity ?? 'info',
    at: 3_000,
    alert: null,
    troubles,
    troubleCount: troubles.length,
    headline: null,
    text: null,
    silence: null,
  };
}

/** Such as `alarm`, or `alarm lost`, of one alert whose incident has the same number. */
function sent(id: number, what: string, alertId: number | null = 1): Undelivered {
  const [kind, lost] = what.split(' ') as [MessageKind, string | undefined];
  const isOver = kind === 'recovery';
  const troubles = alertId === null ? [] : [incident(alertId, isOver ? { endedAt: 8_000 } : {})];
  return {
    id,
    messageId: `msg_${id}`,
    alertId,
    isLost: lost === 'lost',
    content: contentOf(kind, troubles),
  };
}

const idsOf = (undelivered: Undelivered[]) => {
  const { gapMessage, repeated } = deliveryGap({ undelivered, gap: GAP });
  return [gapMessage?.replaces ?? [], repeated];
};

describe('of one alert', () => {
  test.each<[string[], replaced: number[], repeated: number[]]>([
    [['alarm'], [], []],
    [['alarm', 'recovery'], [1, 2], []],
    [['alarm', 'reminder', 'recovery'], [1, 2, 3], []],
    [['escalation', 'recovery'], [1, 2], []],
    // They know of it, and wait for its end.
    [['recovery'], [], []],
    [['update', 'recovery'], [], [1]],
    [['reminder', 'recovery'], [], [1]],
    [['reminder lost', 'recovery'], [], [1]],
    [['recovery lost'], [1], []],
    [['alarm lost'], [1], []],
    [['alarm lost', 'recovery'], [1, 2], []],
    [['alarm lost', 'recovery lost'], [1, 2], []],
    // It goes on: the newest says so.
    [['alarm', 'reminder'], [], [1]],
    [['alarm', 'reminder', 'reminder'], [], [1, 2]],
    [['alarm lost', 'reminder lost', 'reminder'], [], [1, 2]],
    [['alarm', 'update'], [], []],
    [['alarm', 'update', 'reminder', 'update'], [], [1, 2]],
    // It is back again.
    [['alarm', 'recovery', 'alarm'], [], [1, 2]],
  ])('%j', (kinds, replaced, repeated) => {
    const undelivered = kinds.map((kind, index) => sent(index + 1, kind));
    expect(idsOf(undelivered)).toEqual([replaced, repeated]);
  });
});

const ofStorm = (
  id: number,
  kind: MessageKind,
  troubles: MessageIncident[],
  isLost = false,
): Undelivered => ({
  ...sent(id, kind),
  isLost,
  content: { ...contentOf(kind, troubles), alert: { id: 1, kind: 'storm', sharedCause: null } },
});
const ended = (id: number) => incident(id, { endedAt: 8_000 });

describe('of an alert of several incidents', () => {
  test('a recovery is sent though others of it began since', () => {
    const undelivered = [
      ofStorm(1, 'recovery', [ended(5), ended(6)]),
      ofStorm(2, 'alarm', [incident(9)]),
    ];
    expect(idsOf(undelivered)).toEqual([[], []]);
  });

  test('a lost recovery is sent late, though others of it began since', () => {
    const undelivered = [
      ofStorm(1, 'recovery', [ended(5)], true),
      ofStorm(2, 'alarm', [incident(9)]),
    ];
    expect(idsOf(undelivered)).toEqual([[1], []]);
  });

  test('a message that newer ones repeat in full is not sent', () => {
    const undelivered = [
      ofStorm(1, 'alarm', [incident(5)]),
      ofStorm(2, 'update', [ended(5), incident(6)]),
      ofStorm(3, 'reminder', [incident(6)]),
    ];
    expect(idsOf(undelivered)).toEqual([[], [1]]);
  });

  test('nothing goes on after its recovery, also what that does not name', () => {
    const undelivered = [
      ofStorm(1, 'alarm', [incident(7)]),
      ofStorm(2, 'update', [ended(7), incident(8)]),
      ofStorm(3, 'recovery', [ended(7)]),
    ];
    const shown = deliveryGap({ undelivered, gap: GAP }).gapMessage!.content.troubles;
    expect(shown.map(({ incidentId, endedAt }) => [incidentId, endedAt])).toEqual([
      [7, 8_000],
      [8, 3_000],
    ]);
  });
});

test('says what was, since when nothing could be delivered, and why', () => {
  const undelivered = [sent(1, 'alarm', 7), sent(2, 'alarm', 5), sent(3, 'recovery', 7)];
  const { gapMessage, repeated } = deliveryGap({
    undelivered: [...undelivered, sent(4, 'recovery', 5)],
    gap: GAP,
  });
  expect(repeated).toEqual([]);
  expect(gapMessage).toEqual({
    messageId: 'msg_4-late',
    replaces: [1, 2, 3, 4],
    content: {
      ...contentOf('blind_spot', [
        incident(5, { endedAt: 8_000 }),
        incident(7, { endedAt: 8_000 }),
      ]),
      at: 9_000,
      silence: GAP,
    },
  });
});

test('is of no team when it reports several, and as severe as the worst', () => {
  const warning = { ...sent(1, 'alarm lost', 1) };
  warning.content = contentOf('alarm', [incident(1, { severity: 'warning' })], 2);
  const { gapMessage } = deliveryGap({
    undelivered: [warning, sent(2, 'alarm lost', 3)],
    gap: GAP,
  });
  expect(gapMessage!.content).toMatchObject({ team: null, severity: 'critical', troubleCount: 2 });
});

test('a long list is cut, and says how long it is', () => {
  const undelivered = Array.from({ length: 60 }, (_, index) =>
    sent(index, 'alarm lost', index + 1),
  );
  const { content: shown } = deliveryGap({ undelivered, gap: GAP }).gapMessage!;
  expect(shown.troubles).toHaveLength(MAX_LISTED_INCIDENTS);
  expect(shown.troubleCount).toBe(60);
  expect(shown.troubles.at(-1)!.incidentId).toBe(60);
});

test('messages of no alert are left alone', () => {
  expect(idsOf([sent(1, 'notice', null), sent(2, 'notice lost', null)])).toEqual([[], []]);
});

test('each alert has a message that is sent, and none is sent twice', () => {
  const one = fc.record({
    kind: fc.constantFrom(...MESSAGE_KINDS),
    lost: fc.boolean(),
    alertId: fc.option(fc.integer({ min: 1, max: 4 })),
  });
  fc.assert(
    fc.property(fc.array(one), (drawn) => {
      const undelivered = drawn.map(({ kind, lost, alertId }, index) =>
        sent(index, lost ? `${kind} lost` : kind, alertId),
      );
      const { gapMessage, repeated } = deliveryGap({ undelivered, gap: GAP });
      const replaced = gapMessage?.replaces ?? [];
      expect(new Set([...replaced, ...repeated]).size).toBe(replaced.length + repeated.length);
      const gone = new Set([...replaced, ...repeated]);
      const left = undelivered.filter((message) => !message.isLost && !gone.has(message.id));
      for (const { alertId } of undelivered) {
        const isSent =
          alertId === null ||
          left.some((message) => message.alertId === alertId) ||
          undelivered.some(
            (message) => message.alertId === alertId && replaced.includes(message.id),
          );
        expect(isSent).toBe(true);
      }
    }),
  );
});
