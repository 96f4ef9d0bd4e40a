import { isDeepStrictEqual } from 'node:util';
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Caller } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import { oneOf, text } from '../../lib/schemas.ts';
import { auditTarget } from '../../model/audit.ts';
import { nextMailAt } from '../../report/period.ts';
import type { Database } from '../../store/database/contract.ts';
import type { Schema } from '../../store/database/schema.ts';
import { confirmedAddresses } from '../../store/people/accounts.ts';
import { isGroupOf } from '../../store/resources/groups.ts';
import { isPageOf } from '../../store/resources/report-facts.ts';
import {
  countReports,
  deleteReport,
  findReport,
  insertReport,
  listReports,
  lockReport,
  updateReport,
  type ReportRow,
} from '../../store/resources/reports.ts';
import { existingMonitors } from '../../store/resources/scoped-monitors.ts';
import { audit } from '../audit-log/entry.ts';
import { authorize } from '../common/errors.ts';
import { columnsOf, settingsOf, settingsReader, viewSettings } from '../common/fields.ts';
import { finderOf } from '../common/find.ts';
import { Findings, readQuery } from '../common/input.ts';
import { PAGE_QUERY, pageOf, pagingOf, type ListAddress } from '../common/page.ts';
import { teamWriter } from '../common/team-writes.ts';
import { isoOrNull, isoTime } from '../common/time.ts';
import { NO_GROUP, NO_PAGE, REPORT_FIELDS, type ReportSettings } from './fields.ts';

/** Maximum number of reports per team. */
export const MAX_REPORTS = 200;

export const reportListQuery = z.object({
  search: text(100).optional().meta({ description: 'Part of the name, in any case.' }),
  ...PAGE_QUERY,
  sort: oneOf(['name', 'created_at', 'updated_at']).optional(),
});

/** Saved reports of a team. Throws InvalidInput for an invalid body; ids of other teams are not found. */
interface ReportService {
  list(caller: Caller, query: object, address: ListAddress): Promise<object>;
  get(caller: Caller, id: number): Promise<object>;
  create(caller: Caller, body: unknown): Promise<object>;
  /** Changes the fields that are present. */
  update(caller: Caller, id: number, body: unknown): Promise<object>;
  delete(caller: Caller, id: number): Promise<void>;
}

const readSettings = settingsReader(REPORT_FIELDS);
export const mustFindReport = finderOf('report', findReport);
const mustLock = finderOf('report', lockReport);

export function createReportService(deps: {
  database: Database;
  clock: Pick<Clock, 'now'>;
  mailQueue: { readonly isConfigured: boolean };
  /** OPEN_SIGNUP. */
  openSignup: boolean;
}): ReportService {
  const { database, clock, mailQueue, openSignup } = deps;
  const write = teamWriter(database, 'editor');

  async function check(
    tx: Transaction<Schema>,
    caller: Caller,
    settings: ReportSettings,
    stored: ReportRow | null,
    findings: Findings,
  ): Promise<void> {
    await checkScope(tx, caller, settings, stored && settingsOf(REPORT_FIELDS, stored), findings);
    checkRecipients(settings, stored, findings);
    if (openSignup) await refuseStrangers(tx, caller, settings, stored, findings);
    if (settings.frequency !== 'none' && !mailQueue.isConfigured && stored === null)
      findings.add(
        'frequency',
        'must be none: this installation sends no mail. Its operator can set SMTP_URL',
      );
  }

  return {
    async list(caller, query, address) {
      authorize(caller, 'read');
      const wanted = readQuery(reportListQuery, query);
      const paging = pagingOf(wanted, 'created_at');
      const { search = null } = wanted;
      const { rows, total } = await listReports(database.read, caller.team.id, search, paging);
      return pageOf(rows.map(viewReport), total, paging, address);
    },

    async get(caller, id) {
      authorize(caller, 'read');
      return shown(database.read, caller, id);
    },

    create: (caller, body) =>
      write(caller, 'create', async (tx) => {
        const findings = new Findings();
        const settings = readSettings(body, null, findings);
        await check(tx, caller, settings, null, findings);
        if ((await countReports(tx, caller.team.id)) >= MAX_REPORTS)
          findings.add(
            'reports',
            `must not be more than ${MAX_REPORTS} in a team: delete one that is no longer used`,
          );
        findings.throwIfAny();
        const now = clock.now();
        const id = await insertReport(tx, caller.team.id, columns(settings, now), now);
        const target = auditTarget('report', { id, name: settings.name });
        await audit(tx, caller, { verb: 'created', target, after: asSet(settings) }, now);
        return shown(tx, caller, id);
      }),

    update: (caller, id, body) =>
      write(caller, 'update', async (tx) => {
        // Unsubscriptions and the worker lock the report, not its team, and all columns are written back.
        const row = await mustLock(tx, caller, id);
        const stored = settingsOf(REPORT_FIELDS, row);
        const findings = new Findings();
        const settings = readSettings(body, stored, findings);
        await check(tx, caller, settings, row, findings);
        findings.throwIfAny();
        if (!isDeepStrictEqual(stored, settings)) {
          const now = clock.now();
          const isMoved =
            stored.frequency !== settings.frequency || stored.timezone !== settings.timezone;
          const changed = columns(settings, now);
          await updateReport(tx, id, isMoved ? changed : { ...changed, next_at: row.next_at }, now);
          const target = auditTarget('report', { id, name: settings.name });
          const change = { before: asSet(stored), after: asSet(settings) };
          await audit(tx, caller, { verb: 'updated', target, ...change }, now);
        }
        return shown(tx, caller, id);
      }),

    async delete(caller, id) {
      await write(caller, 'delete', async (tx) => {
        const stored = settingsOf(REPORT_FIELDS, await mustFindReport(tx, caller, id));
        await deleteReport(tx, id);
        const target = auditTarget('report', { id, name: stored.name });
        await audit(tx, caller, { verb: 'deleted', target, before: asSet(stored) }, clock.now());
      });
    },
  };
}

async function shown(db: Kysely<Schema>, caller: Caller, id: number) {
  return viewReport(await mustFindReport(db, caller, id));
}

type Columns = Parameters<typeof insertReport>[2];

function columns(settings: ReportSettings, now: number): Columns {
  return {
    ...columnsOf<ReportSettings, Omit<Columns, 'next_at'>>(REPORT_FIELDS, settings),
    next_at: nextMailAt(settings.frequency, settings.timezone, now),
  };
}

/** Reports ids of other teams. What is in the stored settings may have been deleted since. */
async function checkScope(
  tx: Transaction<Schema>,
  caller: Caller,
  settings: ReportSettings,
  stored: ReportSettings | null,
  findings: Findings,
): Promise<void> {
  const teamId = caller.team.id;
  const { monitors, group_id: groupId, status_page_id: pageId } = settings;
  const known = await existingMonitors(tx, teamId, monitors);
  for (const [index, id] of monitors.entries()) {
    if (known.has(id) || stored?.monitors.includes(id)) continue;
    findings.add(`monitors.${index}`, 'must be the id of a monitor of your team');
  }
  const isNewGroup = groupId !== null && groupId !== stored?.group_id;
  if (isNewGroup && !(await isGroupOf(tx, teamId, groupId))) findings.add('group_id', NO_GROUP);
  const isNewPage = pageId !== null && pageId !== stored?.status_page_id;
  if (isNewPage && !(await isPageOf(tx, teamId, pageId))) findings.add('status_page_id', NO_PAGE);
}

/** Reports addresses that unsubscribed: only their owner may decide otherwise. */
function checkRecipients(
  { recipients }: ReportSettings,
  stored: ReportRow | null,
  findings: Findings,
): void {
  const gone = new Set(stored === null ? [] : unsubscribedOf(stored));
  for (const [index, address] of recipients.entries()) {
    if (!gone.has(address.toLowerCase())) continue;
    findings.add(
      `recipients.${index}`,
      'has unsubscribed from this report: remove it, or hand the report over in another way',
    );
  }
}

/** With open sign-up, mail goes only to members who have confirmed their address: others did not ask for it. */
async function refuseStrangers(
  tx: Transaction<Schema>,
  { team }: Caller,
  { recipients }: ReportSettings,
  stored: ReportRow | null,
  findings: Findings,
): Promise<void> {
  const before = new Set(stored && settingsOf(REPORT_FIELDS, stored).recipients);
  if (recipients.every((address) => before.has(address))) return;
  const confirmed = await confirmedAddresses(tx, { personId: null, teamId: team.id });
  for (const [index, address] of recipients.entries()) {
    if (before.has(address) || confirmed.has(address.toLowerCase())) continue;
    findings.add(
      `recipients.${index}`,
      'must be the confirmed address of a member of the team, since anybody can sign up here: invite the person to the team first, as a viewer',
    );
  }
}

const asSet = (settings: ReportSettings) => viewSettings(REPORT_FIELDS, settings);

function unsubscribedOf({ unsubscribed }: ReportRow): string[] {
  return JSON.parse(unsubscribed) as string[];
}

export function viewReport(row: ReportRow): object {
  return {
    id: row.id,
    ...asSet(settingsOf(REPORT_FIELDS, row)),
    unsubscribed: unsubscribedOf(row),
    next_mail_at: isoOrNull(row.next_at),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
