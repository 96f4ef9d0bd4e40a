import { z } from 'zod';
import { MAX_DOCUMENT_BYTES } from '../../configuration/document.ts';
import { nameText, text } from '../../lib/schemas.ts';
import type { Tx } from '../../store/database/contract.ts';
import { idList } from '../../store/database/dialect.ts';
import { configurationSetRows } from '../../store/resources/configuration-sets.ts';
import type { CollectionDeps } from '../common/collection.ts';
import { InvalidInput } from '../common/errors.ts';
import { Findings, readBody } from '../common/input.ts';
import { noun, type Call } from '../common/operation.ts';
import { teamWriter } from '../common/team-writes.ts';
import { isoTime } from '../common/time.ts';
import { importedDays } from '../imported-days.ts';
import { callOf } from './kinds.ts';
import { withinTransaction } from '../common/within-transaction.ts';

/** Monitors in one request. */
const MAX_MONITORS_WITH_DAYS = 100;

const LIST = `must be a list of at most ${MAX_MONITORS_WITH_DAYS} monitors, each with a key and days`;

const daysBody = z.object({
  set: text(100).meta({ description: 'Name of the set that owns the monitors.' }),
  source: nameText(50).meta({
    description: 'Name of the service that observed the days, which status pages show.',
  }),
  monitors: z
    .array(z.object({ key: text(100), days: z.array(z.object({ date: z.string() }).loose()) }), {
      error: LIST,
    })
    .max(MAX_MONITORS_WITH_DAYS, { error: LIST })
    .meta({
      description:
        'Their keys, and days as `POST /monitors/{id}/imported-days` takes them. Days on which a monitor was here already are left out.',
    }),
});

/** Days that another service observed, for the monitors of a set by their keys (contract 61.15). */
function createSetDays(deps: CollectionDeps) {
  const write = teamWriter(deps.database, 'editor');
  return {
    importConfigurationDays: ({ caller, body }: Call) =>
      write(caller, 'update', async (tx) => {
        const findings = new Findings();
        const { set, source, monitors } = readBody(daysBody, body, findings);
        if (set == null && !findings.has('set')) findings.add('set', 'is required');
        if (source == null && !findings.has('source'))
          findings.add('source', 'is required: name the service that observed the days');
        if (monitors == null && !findings.has('monitors')) findings.add('monitors', LIST);
        findings.throwIfAny();
        const known = await monitorsOf(tx, caller.team.id, set!);
        const { importDays } = importedDays.create({
          ...deps,
          database: withinTransaction(deps.database, tx),
        });
        let days = 0;
        for (const [index, one] of monitors!.entries()) {
          const at = `monitors.${index}`;
          const monitor = known.get(one.key);
          if (monitor === undefined) {
            findings.add(`${at}.key`, `must be a monitor of the set ${set}: apply the set first`);
            continue;
          }
          const before = one.days.filter(({ date }) => date < monitor.createdOn);
          try {
            await importDays(callOf(caller, monitor.id, { source, days: before }));
            days += before.length;
          } catch (error) {
            if (!(error instanceof InvalidInput)) throw error;
            for (const [field, texts] of Object.entries(error.errors))
              for (const sentence of texts)
                findings.add(
                  field === 'source' ? field : `${at}.${field}`,
                  sentence.replace(`${field} `, '').replace(/\.$/, ''),
                );
          }
        }
        findings.throwIfAny();
        return { monitors: monitors!.length, days };
      }),
  };
}

/** Ids of the monitors of a set by their keys, with the UTC day on which they were created. */
async function monitorsOf(tx: Tx, teamId: number, set: string) {
  const items = await configurationSetRows(tx, teamId).owners({ kind: 'monitor', id: null });
  const own = items.filter((one) => one.set_name === set);
  const rows = await tx
    .selectFrom('monitor')
    .select(['id', 'created_at'])
    .where(
      'id',
      'in',
      idList(
        tx,
        own.map((one) => one.resource_id),
      ),
    )
    .where('deleted_at', 'is', null)
    .execute();
  const createdOn = new Map(rows.map((row) => [row.id, isoTime(row.created_at).slice(0, 10)]));
  return new Map(
    own.flatMap(({ key, resource_id: id }) => {
      const day = createdOn.get(id);
      return day === undefined ? [] : [[key, { id, createdOn: day }] as const];
    }),
  );
}

export const configurationDays = noun('Monitors', createSetDays, {
  importConfigurationDays: {
    at: 'POST /configuration/imported-days',
    needs: 'update',
    bodyLimit: MAX_DOCUMENT_BYTES,
    summary: 'Import days of another service for a set',
    description:
      'As for single monitors, in one transaction: replaces the imported days of monitors that a set owns.',
    body: daysBody,
    answer: z
      .object({
        monitors: z.int(),
        days: z.int().meta({ description: 'Number of days that were imported.' }),
      })
      .meta({ id: 'ImportedSetDays', description: 'What was imported for a set.' }),
    example: {
      body: { set: 'shop', source: 'Uptime Kuma', monitors: [] },
      answer: { monitors: 0, days: 0 },
    },
  },
});
