import type { Caller } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import { auditTarget } from '../../model/audit.ts';
import { FILE_LINK_MS } from '../../report/links.ts';
import type { RunOptions } from '../../report/runs.ts';
import type { Database } from '../../store/database/contract.ts';
import {
  countOpenRuns,
  findRun,
  insertRun,
  readRunFile,
  type ReportRunRow,
} from '../../store/resources/report-runs.ts';
import { audit } from '../audit-log/entry.ts';
import { downloadOf } from '../common/download.ts';
import { authorize, Problem } from '../common/errors.ts';
import { settingsOf } from '../common/fields.ts';
import { finderOf } from '../common/find.ts';
import { Findings, readBody } from '../common/input.ts';
import { teamWriter } from '../common/team-writes.ts';
import { isoOrNull, isoTime } from '../common/time.ts';
import { REPORT_FIELDS } from './fields.ts';
import { runInput, wantedPeriod } from './input.ts';
import { mustFindReport } from './service.ts';

/** Time for which the file of a run is kept. */
const KEEP_MS = 7 * 24 * 3_600_000;
/** Maximum number of runs of a team that have not ended. */
export const MAX_OPEN_RUNS = 10;

const mustFind = finderOf('report run', findRun);

/** Reports that are made in the background, for any number of monitors. */
interface ReportRunService {
  start(caller: Caller, reportId: number, body: unknown): Promise<object>;
  get(caller: Caller, id: number): Promise<object>;
  /** The file as a Download; throws a Problem (conflict) before the run is done. */
  file(caller: Caller, id: number): Promise<object>;
}

export function createReportRunService(deps: {
  database: Database;
  clock: Pick<Clock, 'now'>;
  baseUrl: () => string;
  mailQueue: { readonly isConfigured: boolean };
}): ReportRunService {
  const { database, clock, baseUrl, mailQueue } = deps;
  const write = teamWriter(database, 'editor');

  function view(row: ReportRunRow): object {
    const { format, from, to } = JSON.parse(row.options) as RunOptions;
    return {
      id: row.id,
      report_id: row.report_id,
      status: row.status,
      progress: row.progress,
      error: row.error,
      format,
      from: isoTime(from),
      to: isoTime(to),
      url: row.status === 'done' ? `${baseUrl()}/api/v1/report-runs/${row.id}/file` : null,
      created_at: isoTime(row.created_at),
      ended_at: isoOrNull(row.ended_at),
      expires_at: isoTime(row.expires_at),
    };
  }

  return {
    start: (caller, reportId, body) =>
      write(caller, 'create', async (tx) => {
        const report = await mustFindReport(tx, caller, reportId);
        const settings = settingsOf(REPORT_FIELDS, report);
        const findings = new Findings();
        const wanted = readBody(runInput, body, findings);
        const now = clock.now();
        const { timezone: zone, period: byDefault } = settings;
        const period = wantedPeriod(wanted, { zone, period: byDefault, now }, findings);
        if ((await countOpenRuns(tx, caller.team.id)) >= MAX_OPEN_RUNS)
          findings.add(
            'runs',
            `must not be more than ${MAX_OPEN_RUNS} at once: wait for one of them`,
          );
        const isMailed = wanted.mail === true;
        if (isMailed && !mailQueue.isConfigured)
          findings.add(
            'mail',
            'must be false: this installation sends no mail. Its operator can set SMTP_URL',
          );
        else if (isMailed && settings.recipients.length === 0)
          findings.add('mail', 'must be false: the report has no recipients. Add some to it first');
        findings.throwIfAny();
        const options: RunOptions = {
          name: settings.name,
          scope: { monitors: settings.monitors, groupId: settings.group_id, tags: settings.tags },
          ...period,
          timezone: zone,
          language: settings.language,
          format: wanted.format ?? 'pdf',
          isCorrected: wanted.corrected ?? true,
          delimiter: wanted.delimiter ?? ',',
          statusPageId: settings.status_page_id,
        };
        const teamId = caller.team.id;
        const expiresAt = now + (isMailed ? FILE_LINK_MS : KEEP_MS);
        const id = await insertRun(tx, { reportId, teamId, isMailed, options, expiresAt }, now);
        const target = auditTarget('report', { id: reportId, name: settings.name });
        const after = { run_id: id, format: options.format, ...(isMailed && { mail: true }) };
        await audit(tx, caller, { verb: 'run_started', target, after }, now);
        return view(await mustFind(tx, caller, id));
      }),

    async get(caller, id) {
      authorize(caller, 'read');
      return view(await mustFind(database.read, caller, id));
    },

    async file(caller, id) {
      authorize(caller, 'read');
      const run = await mustFind(database.read, caller, id);
      const file = run.status === 'done' ? await readRunFile(database.read, id) : null;
      if (file === null) throw notReady(run);
      return downloadOf(file.type, file.name, file.bytes);
    },
  };
}

function notReady({ status, progress, error }: ReportRunRow): Problem {
  return new Problem(
    'conflict',
    status === 'failed'
      ? `This run has no file. ${error ?? ''}`.trim()
      : `The file is not ready yet: the run is at ${progress} %. Ask again in a few seconds.`,
  );
}
