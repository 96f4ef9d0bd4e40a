import type { MessageContent, MessageIncident } from '../../src/alerting/message/index.ts';

/** 08:02:10 in Berlin. */
export const DOWN_AT = Date.UTC(2026, 10, 21, 7, 2, 10);
const MINUTE = 60_000;

export function trouble(changes: Partial<MessageIncident> = {}): MessageIncident {
  return {
    incidentId: 1,
    monitorId: 1,
    name: 'Shop',
    url: 'https://shop.example.com',
    type: 'uptime',
    severity: 'critical',
    cause: 'HTTP 503 Service Unavailable',
    regions: ['ash', 'nbg', 'sin'],
    startedAt: DOWN_AT,
    endedAt: null,
    ending: null,
    acknowledged: false,
    evidence: 'ash failed at 203.0.113.7 after 120 ms',
    ...changes,
  };
}

/** An alarm about one incident by default, 40 s after it began. */
export function notice(changes: Partial<MessageContent> = {}): MessageContent {
  const { troubles = [trouble()] } = changes;
  return {
    kind: 'alarm',
    team: { id: 1, name: 'Acme' },
    severity: 'critical',
    at: DOWN_AT + 40_000,
    alert: { id: 1, kind: 'single', sharedCause: null },
    troubles,
    troubleCount: troubles.length,
    headline: null,
    text: null,
    silence: null,
    ...changes,
  };
}

/** Incidents of monitors that went down one second after another. */
function crowd(size: number, changes: Partial<MessageIncident> = {}): MessageIncident[] {
  return Array.from({ length: size }, (_, index) =>
    trouble({
      incidentId: index + 1,
      monitorId: index + 1,
      name: `Shop ${index + 1}`,
      startedAt: DOWN_AT + index * 1_000,
      cause: 'Connection refused',
      ...changes,
    }),
  );
}

const storm = { id: 1, kind: 'storm', sharedCause: 'the address 203.0.113.7' } as const;
const over = { startedAt: DOWN_AT, endedAt: DOWN_AT + 9 * MINUTE + 5_000 };

/** The examples of docs/messages.md, by headline. */
export const SAMPLES: Record<string, MessageContent> = {
  'It is down': notice(),
  'It is still down': notice({ kind: 'reminder', at: DOWN_AT + 32 * MINUTE }),
  'Nobody acknowledged it': notice({ kind: 'escalation', at: DOWN_AT + 15 * MINUTE }),
  'It is back': notice({
    kind: 'recovery',
    at: over.endedAt,
    troubles: [trouble(over)],
  }),
  'The channel could not be reached then': notice({
    kind: 'blind_spot',
    at: DOWN_AT + 20 * MINUTE,
    alert: null,
    troubles: [trouble(over)],
    silence: {
      from: DOWN_AT - 2 * MINUTE,
      to: DOWN_AT + 20 * MINUTE,
      reason: 'The mail server refused the connection',
    },
  }),
  'A job did not call': notice({
    at: DOWN_AT + 65 * MINUTE,
    troubles: [
      trouble({
        name: 'Nightly backup',
        url: null,
        type: 'heartbeat',
        cause:
          'No ping came at 2026-11-21 07:00:00 UTC, when it was expected, nor in the minute after',
        regions: [],
        evidence: null,
      }),
    ],
  }),
  'A certificate is about to expire': notice({
    severity: 'warning',
    troubles: [
      trouble({
        type: 'ssl',
        severity: 'warning',
        cause: 'The TLS certificate expires in 5 days, on 2026-11-26',
        regions: [],
        evidence: null,
      }),
    ],
  }),
  'Many at once': notice({ alert: storm, troubles: crowd(12), at: DOWN_AT + 30_000 }),
  'They are all back': notice({
    kind: 'recovery',
    alert: storm,
    at: DOWN_AT + 14 * MINUTE,
    troubles: crowd(3, { endedAt: DOWN_AT + 14 * MINUTE }),
  }),
  'It comes and goes': notice({
    alert: { ...storm, kind: 'flapping', sharedCause: null },
    at: DOWN_AT + 24 * MINUTE,
    troubles: Array.from({ length: 5 }, (_, index) =>
      trouble({ incidentId: index + 1, startedAt: DOWN_AT + index * 5 * MINUTE }),
    ),
  }),
};
