import { listPings } from '../store/engine/pings.ts';
import { z } from 'zod';
import { PING_KINDS, type RecordedPing } from '../model/heartbeat.ts';
import type { CollectionDeps } from './common/collection.ts';
import { addPeriodErrors } from './history/period.ts';
import { Findings, readQuery } from './common/input.ts';
import { oneOf } from '../lib/schemas.ts';
import { requireMonitor } from './monitors/find.ts';
import { UNSORTED_PAGE_QUERY, pageOf, pagingOf } from './common/page.ts';
import { queryTime } from './common/time-input.ts';
import { shownAs } from './common/answer.ts';
import { isoTime } from './common/time.ts';
import { type Call, noun } from './common/operation.ts';
import { textOrNull, time } from './common/reference-schemas.ts';
import { pageExample, pageSchema } from './common/page-reference.ts';
import { PUSH } from '../monitor-types/registry.ts';

const pingListQuery = z.object({
  kind: oneOf(PING_KINDS).optional().meta({ description: 'By default all kinds.' }),
  from: queryTime('from', 'Pings from this time on; by default all that are kept.').optional(),
  to: queryTime('to', 'Pings before this time; a date includes that day.').optional(),
  ...UNSORTED_PAGE_QUERY,
});

/** Pings of push monitors. */
function createPingService({ database, clock }: CollectionDeps) {
  return {
    /** A page of a monitor's pings, newest first; other monitors have none. */
    async listMonitorPings({ caller, id, query, address }: Call) {
      await requireMonitor(database.read, caller, id);
      const findings = new Findings();
      const { kind, from, to, ...paged } = readQuery(pingListQuery, query, findings);
      addPeriodErrors({ from, to }, clock.now(), findings);
      findings.throwIfAny();
      const paging = pagingOf(paged, 'received_at');
      const { offset, limit } = paging;
      const { pings, total } = await listPings(database, id, { kind, from, to, offset, limit });
      const data = pings.map((one) => fields.view(one));
      return pageOf(data, total, paging, address);
    },
  };
}

const fields = shownAs<RecordedPing>()({
  id: [
    z.int().min(1).meta({ description: 'Number of the ping, counted per monitor from 1.' }),
    ({ number }) => number,
    1,
  ],
  kind: [
    z.enum(PING_KINDS).meta({
      description:
        'success or failure: a run ended. start: a run began. log: text only, without effect on the status.',
    }),
    ({ kind }) => kind,
    'start',
  ],
  received_at: [time, ({ at }) => isoTime(at), '2030-01-01T02:30:00.211Z'],
  duration_ms: [
    z.int().min(0).nullable().meta({
      description: 'Milliseconds since the start of the run; null when no start is known.',
    }),
    ({ durationMs }) => durationMs,
    null,
  ],
  exit_code: [
    z.int().min(0).max(255).nullable().meta({
      description: 'Exit code in the path; null without one.',
    }),
    ({ exitCode }) => exitCode,
    null,
  ],
  run_id: [
    textOrNull.meta({
      description: 'The `rid` that pairs a start with its end; null without one.',
    }),
    ({ runId }) => runId,
    'nightly-4711',
  ],
  source_address: [
    z.string().meta({ description: 'Address of the client.' }),
    ({ sourceAddress }) => sourceAddress,
    '192.0.2.17',
  ],
  user_agent: [textOrNull, ({ userAgent }) => userAgent, 'curl/8.5.0'],
  body: [
    textOrNull.meta({ description: 'First 10 KiB of the body as text; null without a body.' }),
    ({ body }) => body,
    null,
  ],
  body_truncated: [
    z.boolean().meta({ description: 'True when the body was longer.' }),
    ({ isBodyCut }) => isBodyCut,
    false,
  ],
});

const ping = z.object(fields.shape).meta({ id: 'Ping', description: 'A request to a ping URL.' });

export const pings = noun('Monitors', createPingService, {
  listMonitorPings: {
    at: 'GET /monitors/:id/pings',
    summary: 'List pings',
    description: `Pings of a ${PUSH.or} monitor, newest first. The newest 1,000 are kept, for at most 30 days. Other monitors have none.`,
    query: pingListQuery,
    answer: pageSchema(ping, 'PingPage'),
    example: {
      answer: pageExample('/monitors/1/pings', [
        {
          ...fields.example,
          id: 2,
          kind: 'success',
          received_at: '2030-01-01T02:31:07.512Z',
          duration_ms: 67_301,
          exit_code: 0,
          body: 'Saved 12,204 files.\n',
        },
        fields.example,
      ]),
    },
  },
});
