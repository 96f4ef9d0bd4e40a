import { z } from 'zod';
import { nameText, wholeNumber } from '../lib/schemas.ts';
import { importedDays as importedDayChanges } from '../store/resources/imported-days.ts';
import { recordChange } from './common/change.ts';
import type { CollectionDeps } from './common/collection.ts';
import { Findings, readBody } from './common/input.ts';
import { noun, type Call } from './common/operation.ts';
import { teamWriter } from './common/team-writes.ts';
import { monitorTarget } from './monitors/audit.ts';
import { requireMonitor } from './monitors/find.ts';

const DAY_MS = 86_400_000;
const MAX_DAYS = 400;
/** A day on which clocks are set back. */
const MAX_SECONDS = 25 * 3_600;

const NO_DATE = 'must be a date such as 2030-01-31';
const NO_LIST = `must be a list of at most ${MAX_DAYS} days`;

const seconds = () => wholeNumber(0, MAX_SECONDS, 'a whole number of seconds');

const importedDay = z
  .object(
    {
      date: z.iso.date({ error: NO_DATE }).meta({
        description: 'Before the UTC day on which the monitor was created; each once.',
      }),
      up_seconds: seconds(),
      down_seconds: seconds(),
    },
    { error: 'must be an object with date, up_seconds and down_seconds' },
  )
  .meta({ id: 'ImportedDay', description: 'What another service observed of a day.' });

const importedDaysBody = z.object({
  source: nameText(50).meta({
    description: 'Name of the service that observed them, which status pages show.',
  }),
  days: z.array(importedDay, { error: NO_LIST }).max(MAX_DAYS, { error: NO_LIST }).meta({
    description: 'All imported days of the monitor; none removes them.',
  }),
});

/** Days that another service observed before a monitor was created here (contract 46.20). */
function createImportedDays({ database, clock }: CollectionDeps) {
  const write = teamWriter(database, 'editor');
  return {
    importDays: ({ caller, id: monitorId, body }: Call) =>
      write(caller, 'update', async (tx) => {
        const monitor = await requireMonitor(tx, caller, monitorId);
        const { source, days } = readImport(body, monitor.created_at);
        const byDay = days.map(
          ({ date, up_seconds: upSeconds, down_seconds: downSeconds }) =>
            [Date.parse(date) / DAY_MS, { upSeconds, downSeconds }] as const,
        );
        await importedDayChanges(tx).put(monitorId, { source, days: new Map(byDay) });
        const dates = days.map(({ date }) => date).toSorted();
        const after = {
          source,
          days: days.length,
          first: dates[0] ?? null,
          last: dates.at(-1) ?? null,
        };
        const target = monitorTarget(monitorId, monitor);
        await recordChange(tx, caller, { verb: 'days_imported', target, after }, clock.now());
        return { monitor_id: monitorId, ...after };
      }),
  };
}

/** Throws InvalidInput with all errors. */
function readImport(body: unknown, createdAt: number) {
  const findings = new Findings();
  const { source, days } = readBody(importedDaysBody, body, findings);
  if (source === undefined && !findings.has('source'))
    findings.add('source', 'is required: name the service that observed the days');
  if (days === undefined && !findings.has('days')) findings.add('days', NO_LIST);
  const createdOn = new Date(createdAt).toISOString().slice(0, 10);
  const dates = new Set<string>();
  for (const [index, { date, up_seconds, down_seconds }] of (days ?? []).entries()) {
    const field = `days.${index}.date`;
    if (date >= createdOn)
      findings.add(field, `must be before ${createdOn}, when the monitor was created`);
    if (date < '1970-01-01') findings.add(field, 'must not be before 1970');
    if (dates.has(date)) findings.add(field, 'is there twice');
    dates.add(date);
    if (up_seconds + down_seconds > MAX_SECONDS)
      findings.add(`days.${index}.down_seconds`, 'must leave the day at most 25 hours');
  }
  findings.throwIfAny();
  return { source: source!, days: days! };
}

const date = z.iso.date().nullable();

const answer = z
  .object({
    monitor_id: z.int(),
    source: z.string(),
    days: z.int().meta({ description: 'Number of imported days.' }),
    first: date.meta({ description: 'The oldest; null without any.' }),
    last: date.meta({ description: 'The newest; null without any.' }),
  })
  .meta({ id: 'ImportedDays', description: 'What is imported of a monitor.' });

export const importedDays = noun('Monitors', createImportedDays, {
  importDays: {
    at: 'POST /monitors/:id/imported-days',
    needs: 'update',
    summary: 'Import days of another service',
    description: `Replaces the days that another service observed before the monitor was created here, at most ${MAX_DAYS}. \`/days\` and status pages show them, marked as imported. No uptime, report, SLO or badge counts them.`,
    body: importedDaysBody,
    answer,
    example: {
      body: {
        source: 'Uptime Kuma',
        days: [{ date: '2029-12-30', up_seconds: 86_100, down_seconds: 300 }],
      },
      answer: {
        monitor_id: 1,
        source: 'Uptime Kuma',
        days: 1,
        first: '2029-12-30',
        last: '2029-12-30',
      },
    },
  },
});
