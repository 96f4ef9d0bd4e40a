import { z } from 'zod';
import type { Caller } from '../../identity/caller.ts';
import { json } from '../../lib/columns.ts';
import { nameText, oneOf, text, timeZone } from '../../lib/schemas.ts';
import { FREQUENCIES, nextMailAt, REPORT_PERIODS } from '../../report/period.ts';
import { REPORT_LANGUAGES } from '../../report/words/words.ts';
import { contains } from '../../store/database/dialect.ts';
import type { Tx } from '../../store/database/contract.ts';
import { accountStore } from '../../store/people/accounts.ts';
import { isGroupOf } from '../../store/resources/groups.ts';
import { isPageOf } from '../../store/resources/report-facts.ts';
import { lastDoneRuns, type ReportRunRow } from '../../store/resources/report-runs.ts';
import type { ReportRow } from '../../store/resources/reports.ts';
import { idsOfTeam } from '../../store/resources/scoped-monitors.ts';
import { collection, type CollectionDeps, type Scope } from '../common/collection.ts';
import { fieldTable, type SettingsOf } from '../common/fields.ts';
import type { Findings } from '../common/input.ts';
import { idList, tagNames } from '../common/lists.ts';
import { emailAddress } from '../common/people-input.ts';
import { time } from '../common/reference-schemas.ts';
import { isoOrNull, isoTime } from '../common/time.ts';

/** Maximum number of recipients of one report. */
const MAX_RECIPIENTS = 50;

export const NO_GROUP = 'must be the id of a group of your team';
const NO_PAGE = 'must be the id of a status page of your team';

export const reportFields = fieldTable({
  name: {
    input: nameText(100),
    unset: '',
    required: 'it is the title of the report',
  },
  monitors: {
    codec: json,
    input: idList('monitors'),
    unset: [],
    refers: 'monitors',
    meaning:
      'Ids. The report is about the monitors that match any of monitors, group_id and tags, and about the whole team when all three are empty.',
  },
  group_id: {
    input: z.int({ error: NO_GROUP }).min(1, { error: NO_GROUP }),
    meaning: 'Includes the monitors of its subgroups.',
    refers: 'groups',
  },
  tags: {
    codec: json,
    input: tagNames(),
    unset: [],
    meaning: 'Includes the monitors that have one of these tags, by exact text.',
  },
  period: {
    input: oneOf(REPORT_PERIODS),
    unset: 'last_30_days',
    meaning:
      'Whole days in `timezone`, today not among them; `last_month` is the last whole calendar month.',
  },
  frequency: {
    input: oneOf(FREQUENCIES),
    unset: 'none',
    meaning:
      'When recipients get a mail: on Mondays or on the first of the month, at 07:00 in `timezone`.',
  },
  recipients: {
    codec: json,
    input: addresses(),
    unset: [],
    meaning:
      'E-mail addresses. Each mail has a link by which its recipient unsubscribes, and is removed from this list.',
  },
  timezone: {
    input: timeZone(),
    unset: 'UTC',
    meaning: 'IANA name of the time zone of days and mails.',
  },
  language: {
    input: oneOf(REPORT_LANGUAGES),
    unset: 'en',
    meaning: 'Language of the PDF file and of mails.',
  },
  status_page_id: {
    input: z.int({ error: NO_PAGE }).min(1, { error: NO_PAGE }),
    meaning: 'Status page whose logo is on the cover of the PDF file, if it is PNG or JPEG.',
    refers: 'status_pages',
  },
});

type Settings = SettingsOf<typeof reportFields>;

/** Saved reports of a team. */
export const reports = collection({
  noun: 'report',
  tag: 'Reports',
  path: '/reports',
  verbs: ['run_started', 'unsubscribed'],
  table: 'report',
  meaning: 'A saved report about monitors and a period.',
  fields: reportFields,
  order: ['created_at'],
  pages: {
    query: {
      search: text(100).optional().meta({ description: 'Part of the name, in any case.' }),
    },
    sorts: ['created_at', 'name', 'updated_at'],
    filter: (rows, { search }, engine) =>
      search === undefined
        ? rows
        : rows.where((eb) => contains(engine, eb.ref('report.name'), search)),
  },
  most: 200,
  says: {
    create:
      'Saves what a report is about, and to whom it is sent. Mails contain the main figures and a link to the PDF file, which works for 30 days without signing in.',
    update:
      'Only fields that are present change. A new frequency or time zone moves the next mail.',
    delete: 'Also deletes its runs and their files.',
  },
  example: {
    name: 'Shop, monthly',
    monitors: [1],
    period: 'last_month',
    frequency: 'monthly',
    recipients: ['customer@example.com'],
    timezone: 'Europe/Berlin',
    language: 'de',
  },
  change: { period: 'last_90_days' },
  more: {
    byItself: ['next_mail_at', 'last_run'],
    shape: {
      unsubscribed: z.array(z.string()).meta({
        description:
          'Addresses in lower case whose owners unsubscribed; they can not be added again.',
      }),
      next_mail_at: time.nullable().meta({ description: 'Null without a frequency.' }),
      last_run: z
        .object({ id: z.int(), mailed: z.boolean(), ended_at: time })
        .nullable()
        .meta({ description: 'The newest run that has a file; null without one.' }),
    },
    example: { unsubscribed: [], next_mail_at: '2030-01-01T06:00:00.000Z', last_run: null },
    async view(rows, { db }) {
      const ids = rows.map(({ id }) => id);
      const runs = await lastDoneRuns(db, ids);
      return viewMails(rows).map((mails, index) => ({
        ...mails,
        last_run: viewLast(runs.get(ids[index]!)),
      }));
    },
    exported: viewMails,
  },
  // Unsubscriptions and the worker lock the report alone, and all columns are written back.
  locks: true,

  async check({ tx, caller, deps }: Scope<ReportDeps>, { settings, stored, row, findings }) {
    await checkScope(tx, caller, settings, stored, findings);
    checkRecipients(settings, row, findings);
    if (deps.openSignup) await refuseStrangers(tx, caller, settings, stored, findings);
    if (settings.frequency !== 'none' && !deps.mailQueue.isConfigured && row === null)
      findings.add(
        'frequency',
        'must be none: this installation sends no mail. Its operator can set SMTP_URL',
      );
  },

  columns({ now }, { before, after: { frequency, timezone }, row }) {
    const isMoved = before?.frequency !== frequency || before.timezone !== timezone;
    return { next_at: isMoved ? nextMailAt(frequency, timezone, now) : row!.next_at };
  },
});

interface ReportDeps extends CollectionDeps {
  mailQueue: { readonly isConfigured: boolean };
  /** OPEN_SIGNUP. */
  openSignup: boolean;
}

function addresses() {
  const error = `must be a list of at most ${MAX_RECIPIENTS} e-mail addresses, each at most once`;
  return z
    .array(emailAddress(), { error })
    .max(MAX_RECIPIENTS, { error })
    .refine((list) => new Set(list.map((one) => one.toLowerCase())).size === list.length, {
      error,
    })
    .meta({ override: { uniqueItems: true } });
}

/** Reports ids of other teams. What is in the stored settings may have been deleted since. */
async function checkScope(
  tx: Tx,
  caller: Caller,
  settings: Settings,
  stored: Settings | null,
  findings: Findings,
): Promise<void> {
  const teamId = caller.team.id;
  const { monitors, group_id: groupId, status_page_id: pageId } = settings;
  const known = await idsOfTeam(tx, 'monitor', teamId, monitors);
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
function checkRecipients({ recipients }: Settings, row: ReportRow | null, findings: Findings) {
  const gone = new Set(row === null ? [] : unsubscribedOf(row));
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
  tx: Tx,
  { team }: Caller,
  { recipients }: Settings,
  stored: Settings | null,
  findings: Findings,
): Promise<void> {
  const before = new Set(stored?.recipients);
  if (recipients.every((address) => before.has(address))) return;
  const confirmed = await accountStore(tx).confirmedAddresses({ personId: null, teamId: team.id });
  for (const [index, address] of recipients.entries()) {
    if (before.has(address) || confirmed.has(address.toLowerCase())) continue;
    findings.add(
      `recipients.${index}`,
      'must be the confirmed address of a member of the team, since anybody can sign up here: invite the person to the team first, as a viewer',
    );
  }
}

function viewMails(rows: readonly ReportRow[]) {
  return rows.map((row) => ({
    unsubscribed: unsubscribedOf(row),
    next_mail_at: isoOrNull(row.next_at),
  }));
}

function viewLast(run: ReportRunRow | undefined) {
  if (run === undefined) return null;
  return { id: run.id, mailed: run.is_mailed === 1, ended_at: isoTime(run.ended_at!) };
}

function unsubscribedOf({ unsubscribed }: ReportRow): string[] {
  return JSON.parse(unsubscribed) as string[];
}
