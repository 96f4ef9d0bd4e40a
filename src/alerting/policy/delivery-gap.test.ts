import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { catchUp, type Undelivered } from './delivery-gap.ts';
import {
  MAX_LISTED_INCIDENTS,
  MESSAGE_KINDS,
  type MessageContent,
  type MessageKind,
  type MessageIncident,
} from '../message/index.ts';

const SILENCE = { from: 1_000, to: 9_000, reason: 'Bell answered HTTP 503.' };

function trouble(incidentId: number, more: Partial<MessageIncident> = {}): MessageIncident {
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

function notice(kind: MessageKind, troubles: MessageIncident[], team = 1): MessageContent {
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
function told(id: number, what: string, alertId: number | null = 1): Undelivered {
  const [kind, lost] = what.split(' ') as [MessageKind, string | undefined];
  const isOver = kind === 'recovery';
  const troubles = alertId === null ? [] : [trouble(alertId, isOver ? { endedAt: 8_000 } : {})];
  return {
    id,
    messageId: `msg_${id}`,
    alertId,
    isLost: lost === 'lost',
    notice: notice(kind, troubles),
  };
}

const idsOf = (untold: Undelivered[]) => {
  const { gapMessage: blindSpot, repeated } = catchUp(untold, SILENCE);
  return [blindSpot?.replaces ?? [], repeated];
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
    const untold = kinds.map((kind, index) => told(index + 1, kind));
    expect(idsOf(untold)).toEqual([replaced, repeated]);
  });
});

const ofStorm = (
  id: number,
  kind: MessageKind,
  troubles: MessageIncident[],
  isLost = false,
): Undelivered => ({
  ...told(id, kind),
  isLost,
  notice: { ...notice(kind, troubles), alert: { id: 1, kind: 'storm', sharedCause: null } },
});
const ended = (id: number) => trouble(id, { endedAt: 8_000 });

describe('of an alert of several incidents', () => {
  test('a recovery is sent though others of it began since', () => {
    const untold = [
      ofStorm(1, 'recovery', [ended(5), ended(6)]),
      ofStorm(2, 'alarm', [trouble(9)]),
    ];
    expect(idsOf(untold)).toEqual([[], []]);
  });

  test('a lost recovery is sent late, though others of it began since', () => {
    const untold = [ofStorm(1, 'recovery', [ended(5)], true), ofStorm(2, 'alarm', [trouble(9)])];
    expect(idsOf(untold)).toEqual([[1], []]);
  });

  test('a message that newer ones repeat in full is not sent', () => {
    const untold = [
      ofStorm(1, 'alarm', [trouble(5)]),
      ofStorm(2, 'update', [ended(5), trouble(6)]),
      ofStorm(3, 'reminder', [trouble(6)]),
    ];
    expect(idsOf(untold)).toEqual([[], [1]]);
  });

  test('nothing goes on after its recovery, also what that does not name', () => {
    const untold = [
      ofStorm(1, 'alarm', [trouble(7)]),
      ofStorm(2, 'update', [ended(7), trouble(8)]),
      ofStorm(3, 'recovery', [ended(7)]),
    ];
    const shown = catchUp(untold, SILENCE).gapMessage!.notice.troubles;
    expect(shown.map(({ incidentId, endedAt }) => [incidentId, endedAt])).toEqual([
      [7, 8_000],
      [8, 3_000],
    ]);
  });
});

test('says what was, since when nothing could be told, and why', () => {
  const untold = [told(1, 'alarm', 7), told(2, 'alarm', 5), told(3, 'recovery', 7)];
  const { gapMessage: blindSpot, repeated } = catchUp([...untold, told(4, 'recovery', 5)], SILENCE);
  expect(repeated).toEqual([]);
  expect(blindSpot).toEqual({
    messageId: 'msg_4-late',
    replaces: [1, 2, 3, 4],
    notice: {
      ...notice('blind_spot', [trouble(5, { endedAt: 8_000 }), trouble(7, { endedAt: 8_000 })]),
      at: 9_000,
      silence: SILENCE,
    },
  });
});

test('is of no team when it tells of several, and as severe as the worst', () => {
  const warning = { ...told(1, 'alarm lost', 1) };
  warning.notice = notice('alarm', [trouble(1, { severity: 'warning' })], 2);
  const { gapMessage: blindSpot } = catchUp([warning, told(2, 'alarm lost', 3)], SILENCE);
  expect(blindSpot!.notice).toMatchObject({ team: null, severity: 'critical', troubleCount: 2 });
});

test('a long list is cut, and says how long it is', () => {
  const untold = Array.from({ length: 60 }, (_, index) => told(index, 'alarm lost', index + 1));
  const { notice: shown } = catchUp(untold, SILENCE).gapMessage!;
  expect(shown.troubles).toHaveLength(MAX_LISTED_INCIDENTS);
  expect(shown.troubleCount).toBe(60);
  expect(shown.troubles.at(-1)!.incidentId).toBe(60);
});

test('messages of no alert are left alone', () => {
  expect(idsOf([told(1, 'notice', null), told(2, 'notice lost', null)])).toEqual([[], []]);
});

test('of each alert something is told, and nothing twice', () => {
  const one = fc.record({
    kind: fc.constantFrom(...MESSAGE_KINDS),
    lost: fc.boolean(),
    alertId: fc.option(fc.integer({ min: 1, max: 4 })),
  });
  fc.assert(
    fc.property(fc.array(one), (drawn) => {
      const untold = drawn.map(({ kind, lost, alertId }, index) =>
        told(index, lost ? `${kind} lost` : kind, alertId),
      );
      const { gapMessage: blindSpot, repeated } = catchUp(untold, SILENCE);
      const replaced = blindSpot?.replaces ?? [];
      expect(new Set([...replaced, ...repeated]).size).toBe(replaced.length + repeated.length);
      const gone = new Set([...replaced, ...repeated]);
      const sent = untold.filter((message) => !message.isLost && !gone.has(message.id));
      for (const { alertId } of untold) {
        const isTold =
          alertId === null ||
          sent.some((message) => message.alertId === alertId) ||
          untold.some((message) => message.alertId === alertId && replaced.includes(message.id));
        expect(isTold).toBe(true);
      }
    }),
  );
});
