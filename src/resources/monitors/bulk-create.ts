import { z } from 'zod';
import type { MonitorServiceDeps } from './service.ts';
import type { Caller } from '../../identity/caller.ts';
import type { Plan } from '../../identity/plans.ts';
import { createTurns } from '../../lib/turns.ts';
import { patternsIn, patternSteps } from '../../monitor-types/content-settings.ts';
import { canonicalHostOf } from '../../lib/url-host.ts';
import type { MonitorSettings } from '../../monitor-types/fields.ts';
import type { MonitorType } from '../../monitor-types/registry.ts';
import type { Tx } from '../../store/database/contract.ts';
import { inspectionAssignments } from '../../store/engine/inspection-assignments.ts';
import { lockTeam } from '../../store/people/teams.ts';
import { dependencyChanges } from '../../store/resources/dependencies.ts';
import { type MonitorColumns, monitorChanges } from '../../store/resources/monitor-changes.ts';
import { countMonitorsByHost } from '../../store/resources/monitor-hosts.ts';
import { countMonitors, findMonitors } from '../../store/resources/monitors.ts';
import { idsOfTeam } from '../../store/resources/scoped-monitors.ts';
import { recordChanges } from '../common/change.ts';
import { authorize, invalidField, InvalidInput, Problem } from '../common/errors.ts';
import { markNestedIgnored, unreadNames } from '../common/ignored-fields.ts';
import { Findings, readBody, fieldIn } from '../common/input.ts';
import { limitsMonitors, requireHostCapacity, requireMonitorCapacity } from '../plan/gate.ts';
import { auditedMonitor, monitorTarget } from './audit.ts';
import { bulkCreateBody } from './bulk-input.ts';
import { parentsIn } from './dependencies.ts';
import { newColumns, newMonitor, refuseDeletedGroup, targetsOf } from './new-monitor.ts';
import { readNewMonitor, type TeamRules } from './rules.ts';
import { viewMonitor } from './view.ts';

/** A monitor of the request that can be created as far as its body says. */
interface Readable {
  type: MonitorType;
  settings: MonitorSettings;
  columns: MonitorColumns;
}

/** What becomes of a monitor of the request. */
type Outcome = { readable: Readable } | { refused: Refused };

interface Refused {
  /** HTTP status that a request for this monitor alone would have. */
  status: 403 | 422 | 424;
  message: string;
  errors: Record<string, string[]>;
}

/** Steps of all patterns of a request: about half a second, in turns. */
const MOST_PATTERN_STEPS = 200_000;

const INPUT = bulkCreateBody(z.unknown());

const NOT_ALL: Refused = refusedFor(
  424,
  'all_or_nothing',
  'Not created, since another monitor of the request was refused.',
);

/**
 * Creates up to 500 monitors in one transaction. Each is accepted or refused independently, as a request for it alone would be.
 * Throws InvalidInput for an invalid list.
 */
export function createBulkCreate(deps: MonitorServiceDeps) {
  const { database, clock, secretBox, monitorRules: rules, plans, wakeScheduler } = deps;

  /** Reads each monitor independently. */
  async function readAll(caller: Caller, plan: Plan, bodies: readonly unknown[]) {
    const known = await knownToTeam(caller, bodies);
    const turn = createTurns();
    const outcomes: Outcome[] = [];
    for (const body of bodies) {
      await turn();
      outcomes.push(readOne(caller.team.id, body, { ...known(body), plan, hostUse: null }));
    }
    return outcomes;
  }

  function readOne(teamId: number, body: unknown, team: TeamRules): Outcome {
    try {
      const { type, settings } = readNewMonitor(body, rules(teamId), team);
      return {
        readable: {
          type,
          settings,
          columns: newColumns(type, settings, secretBox.of('monitor', teamId).seal),
        },
      };
    } catch (error) {
      return { refused: refusalOf(error) };
    }
  }

  /** The groups and monitors of the team that the bodies name, in a few queries for all. */
  async function knownToTeam(caller: Caller, bodies: readonly unknown[]) {
    const teamId = caller.team.id;
    const [groups, parents] = await Promise.all([
      idsOfTeam(database.read, 'monitor_group', teamId, bodies.flatMap(groupIn)),
      idsOfTeam(database.read, 'monitor', teamId, bodies.flatMap(parentsIn)),
    ]);
    return (body: unknown) => ({
      isGroupKnown: groupIn(body).every((id) => groups.has(id)),
      dependencyErrors: unknownParents(parentsIn(body), parents),
    });
  }

  async function write(tx: Tx, caller: Caller, accepted: readonly Readable[]) {
    const teamId = caller.team.id;
    const now = clock.now();
    const added = accepted.map(({ columns, settings }) => newMonitor(columns, settings, now));
    const ids = await monitorChanges(tx).insertAll(teamId, added, now);
    const created = accepted.map((one, index) => ({ ...one, id: ids[index]! }));
    await inspectionAssignments(tx).assignAll(
      created.map(({ id, type, settings }) => ({
        monitorId: id,
        targets: targetsOf(deps.regions, teamId, type, settings),
      })),
      now,
    );
    await dependencyChanges(tx).add(
      teamId,
      created.map(({ id, settings }) => ({ monitorId: id, ids: settings.depends_on })),
    );
    const changes = created.map(({ id, type, settings }) => ({
      verb: 'created',
      target: monitorTarget(id, settings),
      after: auditedMonitor(type, settings),
    }));
    await recordChanges(tx, caller, changes, now);
    return findMonitors(tx, teamId, ids);
  }

  return async function createAll(caller: Caller, body: unknown): Promise<object> {
    authorize(caller, 'create');
    const teamId = caller.team.id;
    const { monitors: bodies = [], all_or_nothing: isAllOrNothing } = readBody(INPUT, body);
    const plan = plans.of(caller.team.plan);
    await refuseManyPatterns(bodies);
    const read = await readAll(caller, plan, bodies);
    nameIgnored(body, bodies);
    const { outcomes, rows } = await refuseDeletedGroup(() =>
      database.transaction(async (tx) => {
        const readable = read.flatMap((one) => ('readable' in one ? [one.readable] : []));
        const hasParents = readable.some(({ settings }) => settings.depends_on.length > 0);
        // Makes others that create a monitor wait, so that each counts those before it.
        if (limitsMonitors(plan) || hasParents) await lockTeam(tx, teamId);
        const admitted = await admit(tx, plan, teamId, read);
        const isRefused = isAllOrNothing === true && admitted.some((one) => 'refused' in one);
        const settled = isRefused ? admitted.map(refuseOthers) : admitted;
        const accepted = settled.flatMap((one) => ('readable' in one ? [one.readable] : []));
        await lockParents(tx, teamId, accepted);
        const written = accepted.length === 0 ? [] : await write(tx, caller, accepted);
        return { outcomes: settled, rows: written };
      }),
    );
    for (const shard of new Set(rows.map((row) => row.shard))) wakeScheduler(shard);
    const now = clock.now();
    const left = rows.values();
    return {
      created: rows.length,
      results: outcomes.map((outcome, index) =>
        'refused' in outcome
          ? { index, ...outcome.refused }
          : { index, status: 201, monitor: viewMonitor(left.next().value!, caller, deps, now) },
      ),
    };
  };
}

/** Locks what the new monitors depend on: a parent that was deleted in the meantime refuses the request. */
async function lockParents(tx: Tx, teamId: number, accepted: readonly Readable[]): Promise<void> {
  const parents = [...new Set(accepted.flatMap(({ settings }) => settings.depends_on))];
  if (parents.length === 0) return;
  await dependencyChanges(tx).lockMonitors(teamId, parents);
  if ((await idsOfTeam(tx, 'monitor', teamId, parents)).size === parents.length) return;
  const findings = new Findings();
  findings.add('monitors', 'depend on a monitor that was deleted meanwhile: send them again');
  throw findings.asError();
}

/** Refuses what the plan has no room for, in the order of the request. */
async function admit(tx: Tx, plan: Plan, teamId: number, outcomes: readonly Outcome[]) {
  if (!limitsMonitors(plan)) return [...outcomes];
  const hosts = outcomes.flatMap((one) => ('readable' in one ? (hostOf(one.readable) ?? []) : []));
  const byHost = await countMonitorsByHost(tx, teamId, hosts);
  let count = await countMonitors(tx, teamId);
  return outcomes.map((outcome) => {
    if ('refused' in outcome) return outcome;
    const host = hostOf(outcome.readable);
    const others = host === null ? 0 : (byHost.get(host) ?? 0);
    try {
      requireMonitorCapacity(plan, count);
      requireHostCapacity(plan, host === null ? null : { host, others });
    } catch (error) {
      return { refused: refusalOf(error) };
    }
    count += 1;
    if (host !== null) byHost.set(host, others + 1);
    return outcome;
  });
}

function hostOf({ settings: { url } }: Readable): string | null {
  return url ? canonicalHostOf(url) : null;
}

function refuseOthers(outcome: Outcome): Outcome {
  return 'refused' in outcome ? outcome : { refused: NOT_ALL };
}

/** What a request for the monitor alone would be told. Throws what is no refusal of it. */
function refusalOf(error: unknown): Refused {
  if (error instanceof InvalidInput)
    return { status: 422, message: error.message, errors: error.errors };
  if (error instanceof Problem && error.code === 'forbidden')
    return refusedFor(403, 'plan', error.message);
  throw error;
}

function refusedFor(status: Refused['status'], field: string, message: string): Refused {
  return { status, message, errors: { [field]: [message] } };
}

/** Each pattern counts once. */
async function refuseManyPatterns(bodies: readonly unknown[]): Promise<void> {
  const turn = createTurns();
  const known = new Set<string>();
  let steps = 0;
  for (const body of bodies) {
    await turn();
    const patterns = patternsIn(fieldIn(body, 'json_assertion_settings'));
    steps += patternSteps([...patterns].filter((pattern) => !known.has(pattern)));
    for (const pattern of patterns) known.add(pattern);
  }
  if (steps > MOST_PATTERN_STEPS)
    throw invalidField(
      'monitors',
      'have too many different regular expressions: create them in several requests',
    );
}

function groupIn(body: unknown): number[] {
  const id = fieldIn(body, 'group_id');
  return Number.isSafeInteger(id) ? [id as number] : [];
}

function unknownParents(wanted: readonly number[], known: ReadonlySet<number>) {
  return wanted.flatMap((id, index) =>
    known.has(id)
      ? []
      : [{ field: `depends_on.${index}`, predicate: 'must be a monitor of your team' }],
  );
}

/** Names in the answer what was ignored of each monitor, such as `monitors.0.name`. */
function nameIgnored(body: unknown, bodies: readonly unknown[]): void {
  const names = bodies.flatMap((one, index) =>
    unreadNames(one).map((name) => `monitors.${index}.${name}`),
  );
  markNestedIgnored(body as object, names);
}
