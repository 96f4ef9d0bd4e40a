import { z } from 'zod';
import { unknownWord } from '../../lib/schemas.ts';
import type { Vote } from '../../model/check.ts';
import { perTeam, type Regions } from '../../model/regions.ts';
import { listResults, type ListedResult } from '../../store/engine/result-history.ts';
import { shownAs } from '../common/answer.ts';
import type { CollectionDeps } from '../common/collection.ts';
import { Findings, readQuery } from '../common/input.ts';
import { noun, type Call } from '../common/operation.ts';
import { pageOf, pagingOf, UNSORTED_PAGE_QUERY } from '../common/page.ts';
import { pageExample, pageSchema } from '../common/page-reference.ts';
import { responseTimeMs, textOrNull, time, timings } from '../common/reference-schemas.ts';
import { queryTime } from '../common/time-input.ts';
import { isoTime, tenths } from '../common/time.ts';
import { viewTimings } from '../incidents/detail.ts';
import { requireMonitorId } from '../monitors/find.ts';
import { periodOf } from './period.ts';
import { PUSH } from '../../monitor-types/registry.ts';

const DEFAULT_MS = 24 * 3_600_000;

/** @param regions the codes of the installation's regions; null to accept any text. */
const resultListQuery = (regions: readonly string[] | null) =>
  z.object({
    from: queryTime(
      'from',
      'Results from this time on; by default 24 hours before `to`.',
    ).optional(),
    to: queryTime(
      'to',
      'Results before this time; a date includes that day. By default now.',
    ).optional(),
    region: z
      .string()
      .refine((code) => regions === null || regions.includes(code), {
        error: ({ input }) => unknownWord(input, regions ?? []),
      })
      .optional()
      .meta({ description: 'Code of a region; by default results of all regions.' }),
    ...UNSORTED_PAGE_QUERY,
  });

function createListResults(deps: CollectionDeps & { regions: Regions }) {
  const { database, clock } = deps;
  const queries = perTeam(deps.regions, resultListQuery);

  /** A page of results, newest round first; a push monitor has none. */
  return async ({ caller, id, query, address }: Call) => {
    await requireMonitorId(database.read, caller, id);
    const findings = new Findings();
    const { region, ...wanted } = readQuery(queries(caller.team.id), query, findings);
    const period = periodOf(wanted, DEFAULT_MS, clock.now(), findings);
    findings.throwIfAny();
    const paging = pagingOf(wanted, 'checked_at');
    const { results, total } = await listResults(database, id, {
      ...period,
      ...(region !== undefined && { region }),
      page: paging.page,
      perPage: paging.limit,
    });
    const shown = results.map((one) => fields.view(one));
    return pageOf(shown, total, paging, address);
  };
}

const IS_UP: Record<Vote, boolean | null> = { up: true, down: false, unknown: null };

const fields = shownAs<ListedResult>()({
  region: [z.string().meta({ description: 'Code of the region.' }), ({ region }) => region, 'ash'],
  checked_at: [time, ({ checkedAt }) => isoTime(checkedAt), '2030-01-01T00:00:00.000Z'],
  kind: [
    z.enum(['voted', 'stale', 'manual']).meta({
      description:
        'voted: it counted for the status. stale: the monitor was changed during the check, so it did not count. manual: a user started it, so it did not count.',
    }),
    ({ kind }) => kind,
    'voted',
  ],
  is_up: [
    z.boolean().nullable().meta({ description: 'Null when the vote is unknown.' }),
    ({ vote }) => IS_UP[vote],
    true,
  ],
  vote: [
    z.enum(['up', 'down', 'unknown']).meta({
      description:
        'unknown: Tocsin itself could not check, so the result says nothing about the target.',
    }),
    ({ vote }) => vote,
    'up',
  ],
  response_time: [responseTimeMs, ({ responseTimeMs: ms }) => tenths(ms), 87.4],
  status_code: [
    z.int().nullable().meta({ description: 'HTTP status code; null without one.' }),
    ({ statusCode }) => statusCode,
    200,
  ],
  error: [
    textOrNull.meta({ description: 'Why it is not up, as text.' }),
    ({ failure }) => failure?.text ?? null,
    null,
  ],
  failure_code: [
    textOrNull.meta({ description: 'The same as a code.' }),
    ({ failureCode }) => failureCode,
    null,
  ],
  remote_address: [
    textOrNull.meta({ description: 'Address of the connection; null for results that are up.' }),
    ({ remoteAddress }) => remoteAddress,
    null,
  ],
  timings: [
    timings,
    (result) => viewTimings(result.timings),
    { dns_ms: 2.1, tcp_ms: 9.8, tls_ms: 21.5, ttfb_ms: 48.7, total_ms: 87.4 },
  ],
});

const result = z
  .object(fields.shape)
  .meta({ id: 'Result', description: 'Result of one check in one region.' });

export const results = noun('Monitors', createListResults, {
  listMonitorResults: {
    at: 'GET /monitors/:id/results',
    summary: 'List results',
    description: `Results of each check by region, newest first. They are kept for 3 days unless the operator set RAW_RETENTION_DAYS. ${PUSH.and} monitors have none.`,
    query: resultListQuery(null),
    answer: pageSchema(result, 'ResultPage'),
    example: {
      answer: pageExample('/monitors/1/results', [fields.example]),
    },
  },
});
