import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import { auditTarget } from '../../model/audit.ts';
import type { Database } from '../../store/database/contract.ts';
import {
  countUpdateTemplates,
  deleteUpdateTemplate,
  findUpdateTemplate,
  insertUpdateTemplate,
  listUpdateTemplates,
  updateUpdateTemplate,
  type UpdateTemplateRow,
} from '../../store/resources/update-templates.ts';
import { audit } from '../audit-log/entry.ts';
import { authorize } from '../common/errors.ts';
import { settingsReader, viewSettings } from '../common/fields.ts';
import { finderOf } from '../common/find.ts';
import { Findings } from '../common/input.ts';
import { teamWriter } from '../common/team-writes.ts';
import { isoTime } from '../common/time.ts';
import { TEMPLATE_FIELDS, type UpdateTemplateSettings } from './fields.ts';

/** Maximum number of templates per team: the list of them has no pages. */
const MAX_TEMPLATES = 100;

const readSettings = settingsReader(TEMPLATE_FIELDS);

/** Templates of a team for updates. Throws InvalidInput for an invalid body; ids of other teams are not found. */
export interface UpdateTemplateService {
  list(caller: Caller): Promise<object>;
  get(caller: Caller, id: number): Promise<object>;
  create(caller: Caller, body: unknown): Promise<object>;
  /** Changes the fields that are present. */
  update(caller: Caller, id: number, body: unknown): Promise<object>;
  delete(caller: Caller, id: number): Promise<void>;
}

export function createUpdateTemplateService({
  database,
  clock,
}: {
  database: Database;
  clock: Pick<Clock, 'now'>;
}): UpdateTemplateService {
  const write = teamWriter(database, 'editor');

  return {
    async list(caller) {
      authorize(caller, 'read');
      const rows = await listUpdateTemplates(database.read, caller.team.id);
      return { total: rows.length, data: rows.map(viewUpdateTemplate) };
    },

    async get(caller, id) {
      authorize(caller, 'read');
      return viewUpdateTemplate(await mustFind(database.read, caller, id));
    },

    create: (caller, body) =>
      write(caller, 'create', async (tx) => {
        const findings = new Findings();
        const settings = readSettings(body, null, findings);
        if ((await countUpdateTemplates(tx, caller.team.id)) >= MAX_TEMPLATES)
          findings.add(
            'update_templates',
            `must not be more than ${MAX_TEMPLATES} in a team: delete one that is no longer used`,
          );
        findings.throwIfAny();
        const now = clock.now();
        const id = await insertUpdateTemplate(tx, caller.team.id, columnsOf(settings), now);
        const change = { verb: 'created', target: targetOf(id, settings), after: settings };
        await audit(tx, caller, change, now);
        return viewUpdateTemplate(await mustFind(tx, caller, id));
      }),

    update: (caller, id, body) =>
      write(caller, 'update', async (tx) => {
        const row = await mustFind(tx, caller, id);
        const stored = settingsOf(row);
        const findings = new Findings();
        const settings = readSettings(body, stored, findings);
        findings.throwIfAny();
        if (isDeepStrictEqual(stored, settings)) return viewUpdateTemplate(row);
        const now = clock.now();
        await updateUpdateTemplate(tx, id, columnsOf(settings), now);
        const target = targetOf(id, settings);
        await audit(tx, caller, { verb: 'updated', target, before: stored, after: settings }, now);
        return viewUpdateTemplate(await mustFind(tx, caller, id));
      }),

    async delete(caller, id) {
      await write(caller, 'delete', async (tx) => {
        const stored = settingsOf(await mustFind(tx, caller, id));
        await deleteUpdateTemplate(tx, id);
        const change = { verb: 'deleted', target: targetOf(id, stored), before: stored };
        await audit(tx, caller, change, clock.now());
      });
    },
  };
}

const mustFind = finderOf('update template', findUpdateTemplate);

/** The column of the text is named `body`. */
function columnsOf({ text, ...settings }: UpdateTemplateSettings) {
  return { ...settings, body: text };
}

function settingsOf({ name, title, state, body }: UpdateTemplateRow): UpdateTemplateSettings {
  return { name, title, state, text: body };
}

const targetOf = (id: number, { name }: UpdateTemplateSettings) =>
  auditTarget('update_template', { id, name });

export function viewUpdateTemplate(row: UpdateTemplateRow): object {
  return {
    id: row.id,
    ...viewSettings(TEMPLATE_FIELDS, settingsOf(row)),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
