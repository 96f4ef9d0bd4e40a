import { z } from 'zod';
import {
  isSecretValue,
  MAX_DOCUMENT_BYTES,
  SECTIONS,
  type Section,
} from '../../configuration/document.ts';
import { isAtLeast, type Caller } from '../../identity/caller.ts';
import type { PasswordQueue } from '../../identity/password.ts';
import { JobsWaiting } from '../../lib/child-jobs.ts';
import { auditTarget } from '../../model/audit.ts';
import { isUniqueViolation } from '../../store/database/errors.ts';
import type { Db, Tx } from '../../store/database/contract.ts';
import { markRehearsal } from '../../store/engine/shards.ts';
import {
  configurationSetChanges,
  configurationSetRows,
} from '../../store/resources/configuration-sets.ts';
import { recordChange } from '../common/change.ts';
import type { AnyCollection } from '../common/collection.ts';
import { invalidField, notFound, Problem } from '../common/errors.ts';
import { Findings, readBody, readQuery } from '../common/input.ts';
import { noun, type Call } from '../common/operation.ts';
import { teamWriter } from '../common/team-writes.ts';
import { isoTime } from '../common/time.ts';
import type { MonitorServiceDeps } from '../monitors/service.ts';
import { MAX_STATUS_PAGES } from '../status-pages/status-pages.ts';
import { readDocument } from './document-input.ts';
import {
  DEFAULT_MAX_DELETIONS,
  exampleDocument,
  examplePlan,
  exampleSet,
  exportQuery,
  itemsQuery,
  planAnswer,
  setAnswer,
  wishInput,
} from './reference.ts';
import { exportState } from './export.ts';
import { kindOf, type Kind } from './kinds.ts';
import { monitorKind } from './monitors.ts';
import type { Plan } from './plan.ts';
import { run, WouldChange, type Wish } from './run.ts';
import { isTree } from './secrets.ts';
import { targetsOf } from './settle.ts';
import { readTeamState } from './team-state.ts';
import { undone, withinTransaction } from '../common/within-transaction.ts';

interface ConfigurationDeps extends MonitorServiceDeps {
  passwords: Pick<PasswordQueue, 'hash' | 'verify'>;
}

/** Operations of configuration sets. @param collections what sets can have besides monitors. */
function createConfiguration(deps: ConfigurationDeps, collections: readonly AnyCollection[]) {
  const { database, clock } = deps;
  const write = teamWriter(database, 'editor');
  const kindNames: Pick<Kind, 'section' | 'kind' | 'reader'>[] = [
    { section: 'monitors', kind: 'monitor', reader: 'viewer' },
    ...collections.map(({ kinds, kind, declared }) => ({
      section: kinds as Section,
      kind,
      reader: declared.role ?? 'viewer',
    })),
  ];

  /** All kinds, whose operations work in a transaction. @param wake called after it, for each shard. */
  function kindsIn(
    tx: Db,
    { wake, hashes = new Map() }: { wake: (shard: number) => void; hashes?: Hashes },
  ): Kind[] {
    const inside = {
      ...deps,
      database: withinTransaction(database, tx as Tx),
      wakeScheduler: wake,
      passwords: { ...deps.passwords, hash: async (password: string) => hashes.get(password)! },
    };
    const all = [...collections.map((one) => kindOf(one, inside)), monitorKind(inside)];
    return SECTIONS.map((section) => all.find((kind) => kind.section === section)!);
  }

  /** The plan of a wish, without a transaction, where nothing would change; else null. */
  async function look(wish: Wish, caller: Caller): Promise<Plan | null> {
    const tx = database.read as Tx;
    const scope = { tx, caller, clock };
    try {
      return await run(kindsIn(tx, { wake: ignore }), scope, wish, false);
    } catch (error) {
      if (error instanceof WouldChange) return null;
      throw error;
    }
  }

  const running = new Map<number, { last: Promise<unknown>; count: number }>();

  /**
   * Runs the requests of a team one after another: together they would keep connections, or the writer, from all others.
   * Throws JobsWaiting when too many wait.
   */
  async function inTurn(teamId: number, work: () => Promise<Plan>): Promise<Plan> {
    const { last, count } = running.get(teamId) ?? { last: Promise.resolve(), count: 0 };
    if (count > MAX_WAITING) throw new JobsWaiting();
    const mine = last.then(work);
    const settled = mine.catch(ignore).finally(() => {
      const team = running.get(teamId)!;
      team.count -= 1;
      if (team.count === 0) running.delete(teamId);
    });
    running.set(teamId, { last: settled, count: count + 1 });
    return mine;
  }

  async function carryOut(given: Wish, caller: Caller, isPlan: boolean): Promise<Plan> {
    const { wish, hashes } = await settlePasswords(given, caller);
    if (isPlan) {
      const unchanged = await look(wish, caller);
      if (unchanged !== null) return unchanged;
    }
    const shards = new Set<number>();
    try {
      const apply = (tx: Tx) => {
        if (isPlan) markRehearsal(tx);
        const kinds = kindsIn(tx, { wake: (shard) => void shards.add(shard), hashes });
        return run(kinds, { tx, caller, clock }, wish, true);
      };
      if (isPlan) return await undone((work) => write(caller, 'update', work), apply);
      const plan = await write(caller, 'update', apply);
      for (const shard of shards) deps.wakeScheduler(shard);
      return plan;
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new Problem(
        'conflict',
        'Somebody took a name that must be unique meanwhile. Nothing was changed: make the plan again.',
      );
    }
  }

  type Hashes = ReadonlyMap<string, string>;

  /** Hashes passwords of status pages before a transaction begins, and keeps those that are as stored. */
  async function settlePasswords(wish: Wish, caller: Caller) {
    const hashes = new Map<string, string>();
    const count = wish.items.filter((item) => passwordIn(item) !== null).length;
    if (count === 0) return { wish, hashes };
    if (count > MAX_STATUS_PAGES)
      throw invalidField('status_pages', `must not be more than ${MAX_STATUS_PAGES} in a team`);
    const tx = database.read as Tx;
    const kinds = kindsIn(tx, { wake: ignore });
    const scope = { tx, caller, clock };
    const state = await readTeamState(kinds, scope, wish.name);
    const items: Wish['items'][number][] = [];
    for (const { item, thing } of targetsOf(wish.items, kinds, state)) {
      const password = passwordIn(item);
      const stored = thing?.stored as { access?: { password: string | null } } | undefined;
      const hash = stored?.access?.password ?? null;
      if (password === null) items.push(item);
      else if (hash !== null && (await deps.passwords.verify({ hash, password }, caller.address))) {
        const access = { ...(item.fields['access'] as object), password: { from: 'env' } };
        items.push({ ...item, fields: { ...item.fields, access } });
      } else {
        if (!hashes.has(password))
          hashes.set(password, await deps.passwords.hash(password, caller.address));
        items.push(item);
      }
    }
    return { wish: { ...wish, items }, hashes };
  }

  return {
    planConfiguration(call: Call) {
      const { wish, caller } = readWish(call);
      return inTurn(caller.team.id, () => carryOut(wish, caller, true));
    },

    applyConfiguration(call: Call) {
      const { wish, caller } = readWish(call);
      return inTurn(caller.team.id, () => carryOut(wish, caller, false));
    },

    async exportConfiguration({ caller, query }: Call) {
      const { name } = readQuery(exportQuery, query);
      const tx = database.read as Tx;
      const sets = await configurationSetRows(tx, caller.team.id).list();
      const wanted = name ?? (sets.length === 1 ? sets[0]!.name : caller.team.slug);
      const kinds = kindsIn(tx, { wake: ignore });
      const scope = { tx, caller, clock };
      return exportState(kinds, await readTeamState(kinds, scope, wanted), wanted);
    },

    async listConfigurationSets({ caller }: Call) {
      const rows = configurationSetRows(database.read, caller.team.id);
      const [sets, counts] = await Promise.all([rows.list(), rows.counts()]);
      const data = sets.map((set) => ({
        id: set.id,
        name: set.name,
        items_count: counts.get(set.id) ?? 0,
        applied_at: isoTime(set.applied_at),
        applied_by: set.applied_by,
        created_at: isoTime(set.created_at),
      }));
      return { total: data.length, data };
    },

    /** Those of which the caller may read the things. */
    async listConfigurationItems({ caller, query }: Call) {
      const { section, id = null } = readQuery(itemsQuery, query);
      const wanted = kindNames.find((one) => one.section === section)?.kind ?? null;
      const rows = configurationSetRows(database.read, caller.team.id);
      const found = await rows.owners({ kind: wanted, id });
      const data = found.flatMap((row) => {
        const named = kindNames.find(({ kind }) => kind === row.kind);
        if (named === undefined || !isAtLeast(caller.role, named.reader)) return [];
        const { set_id, set_name: set, key, resource_id } = row;
        return [{ set_id, set, section: named.section, key, id: resource_id }];
      });
      return { total: data.length, data };
    },

    /** What it owned stays, and belongs to no set any more. */
    deleteConfigurationSet: ({ caller, id }: Call) =>
      write(caller, 'delete', async (tx) => {
        const set = await configurationSetRows(tx, caller.team.id).find(id);
        if (set === undefined) throw notFound('configuration set');
        await configurationSetChanges(tx).delete(id);
        const target = auditTarget('configuration_set', { id, name: set.name });
        const change = { verb: 'deleted', target, before: { name: set.name } };
        await recordChange(tx, caller, change, clock.now());
      }),
  };
}

/** Requests of a team that wait: each has a document in memory. */
const MAX_WAITING = 8;

/** For reading alone. */
const ignore = () => {};

/** What a request asks for. Throws InvalidInput for a document that has not the form of one. */
function readWish({ caller, body, ifMatch }: Call): { wish: Wish; caller: Caller } {
  const findings = new Findings();
  const {
    document,
    prune,
    max_deletions: most,
    delete_history: deletesHistory,
  } = readBody(wishInput, body, findings);
  if (document === undefined && !findings.has('document'))
    findings.add('document', 'is required: the set that the team is to have');
  findings.throwIfAny();
  const { name, items } = readDocument(document!, findings);
  findings.throwIfAny();
  // Each change would compare them again.
  const { idempotencyKey: _key, precondition: _precondition, ...plain } = caller;
  return {
    caller: plain,
    wish: {
      name,
      items,
      prune: prune ?? false,
      maxDeletions: most ?? DEFAULT_MAX_DELETIONS,
      deletesHistory: deletesHistory ?? false,
      expected:
        ifMatch === null || ifMatch.trim() === '*' ? null : ifMatch.replace(/^W\/|"/g, '').trim(),
      recorder: caller,
    },
  };
}

/** The password of a status page in an item; null for none. */
function passwordIn({ section, fields }: Wish['items'][number]): string | null {
  const access = section === 'status_pages' ? fields['access'] : null;
  const password = isTree(access) ? access['password'] : null;
  return isSecretValue(password) ? (password.value ?? null) : null;
}

/** Configuration sets of a team. @param collections what sets can have besides monitors. */
export function configurationOf(collections: readonly AnyCollection[]) {
  return noun(
    'Configuration',
    (deps: ConfigurationDeps) => createConfiguration(deps, collections),
    {
      planConfiguration: {
        at: 'POST /configuration/plan',
        needs: 'update',
        bodyLimit: MAX_DOCUMENT_BYTES,
        summary: 'Plan a configuration set',
        description:
          'What applying the set would change, without changing it. It needs the permissions of these changes, such as `create`.',
        body: wishInput,
        answer: planAnswer,
        refusals: ['forbidden', 'conflict', 'busy'],
        example: { body: { document: exampleDocument }, answer: examplePlan },
      },
      applyConfiguration: {
        at: 'POST /configuration/apply',
        needs: 'update',
        bodyLimit: MAX_DOCUMENT_BYTES,
        summary: 'Apply a configuration set',
        description:
          'Makes the team what the set wants, in one transaction: an error changes nothing, and names its place in the document. What an item leaves out gets its default, but `is_paused` and the slug of a status page stay; what the set does not name is left alone, unless `prune` deletes what it once named.',
        body: wishInput,
        answer: planAnswer,
        refusals: ['forbidden', 'conflict', 'precondition_failed', 'busy'],
        example: { body: { document: exampleDocument }, answer: examplePlan },
      },
      exportConfiguration: {
        at: 'GET /configuration/export',
        role: 'admin',
        summary: 'Export as a configuration set',
        description:
          'What the set owns and what no set owns, as a document whose plan is empty. Secrets are references to environment variables, which keep what is stored while they are not set.',
        query: exportQuery,
        answer: z
          .object({
            document: z.record(z.string(), z.unknown()),
            secrets: z.array(
              z.object({
                section: z.string(),
                key: z.string(),
                field: z.string(),
                env: z.string(),
              }),
            ),
            warnings: z.array(z.string()),
          })
          .meta({ id: 'ExportedConfiguration', description: 'A set, and where its secrets are.' }),
        example: {
          answer: {
            document: {
              name: 'team-ours',
              groups: [{ key: 'shop', name: 'Shop' }],
              webhook_endpoints: [{ key: 'chat', name: 'Chat', url: { from: 'env CHAT_URL' } }],
            },
            secrets: [{ section: 'webhook_endpoints', key: 'chat', field: 'url', env: 'CHAT_URL' }],
            warnings: [],
          },
        },
      },
      listConfigurationSets: {
        at: 'GET /configuration/sets',
        summary: 'List configuration sets',
        answer: z
          .object({ total: z.int(), data: z.array(setAnswer) })
          .meta({ id: 'ConfigurationSetList', description: 'All sets of the team.' }),
        example: { answer: { total: 1, data: [exampleSet] } },
      },
      listConfigurationItems: {
        at: 'GET /configuration/items',
        summary: 'List what configuration sets own',
        query: itemsQuery,
        answer: z
          .object({
            total: z.int(),
            data: z.array(
              z.object({
                set_id: z.int(),
                set: z.string(),
                section: z.string(),
                key: z.string(),
                id: z.int(),
              }),
            ),
          })
          .meta({ id: 'ConfigurationItemList', description: 'What sets own.' }),
        example: { answer: { total: 0, data: [] } },
      },
      deleteConfigurationSet: {
        at: 'DELETE /configuration/sets/:id',
        summary: 'Forget a configuration set',
        description: 'What it owned stays, and belongs to no set any more.',
      },
    },
  );
}
