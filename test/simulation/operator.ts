import { callOf } from '../support/call.ts';
import type { Transaction } from 'kysely';
import { callerOf } from '../support/people.ts';
import { assignedTargets } from '../../src/engine/inspect/target.ts';
import { createSecretBox } from '../../src/lib/secret-box.ts';
import { shardOf } from '../../src/model/monitor.ts';
import { Problem } from '../../src/resources/common/errors.ts';
import { createIncidentService } from '../../src/resources/incidents/incidents.ts';
import { markMonitorsRemoved } from '../../src/store/alerting/alerts.ts';
import type { Database, Schema } from '../../src/store/database/contract.ts';
import { inspectionAssignments } from '../../src/store/engine/inspection-assignments.ts';
import { type MonitorColumns, monitorChanges } from '../../src/store/resources/monitor-changes.ts';
import { nextVersion } from '../../src/store/engine/shards.ts';
import type { FakeClock } from '../support/fake-clock.ts';
import { UNSET_COLUMNS } from '../support/monitor-rows.ts';
import { GROUP, MAINTAINED_TAG, MAINTAINED_TYPE } from './maintenance/scenario.ts';
import {
  HTTPS_PORT,
  contentOf,
  isSecure,
  settingsFor,
  type MonitorSettings,
  type Scenario,
} from './scenario.ts';
import { WORLD_REGIONS } from './targets.ts';
import type { Doubles } from './process.ts';
import type { Random } from './random.ts';
import type { Story } from './story.ts';

/** A monitor with all its committed settings, and when they were committed (milliseconds since the world began). */
export interface OwnedMonitor {
  id: number;
  eras: Era[];
  /** When one of its incidents was resolved, reopened or deleted by hand. */
  manualActions: number[];
}

/** The settings and state of a monitor from `from` until the next era. */
export interface Era {
  from: number;
  /** The `now` of the edit, epoch milliseconds. */
  wall: number;
  settings: MonitorSettings;
  isPaused: boolean;
  isDeleted: boolean;
  /** Whether it makes the next round due now: as an edit, which discards older rounds, or as a requested check. */
  dueNow: 'edit' | 'request' | null;
  revision: number;
}

export interface Operator {
  readonly monitors: Map<number, OwnedMonitor>;
  /** Makes one random change of a monitor. Returns its shard, or null when there is nothing to change. */
  makeRandomChange(): Promise<number | null>;
  /** Resolves, reopens or deletes a random incident through the service. */
  handleRandomIncident(): Promise<void>;
  /** Incidents that were deleted, or are being deleted. */
  readonly erased: ReadonlySet<number>;
  /** When an incident was last changed by hand, by monitor; milliseconds since the world began. */
  readonly manualActionAt: ReadonlyMap<number, number>;
  create(settings: MonitorSettings): Promise<number>;
  /** Requests a round of every monitor now, also during a confirmation. */
  requestChecks(): Promise<void>;
}

export const TEAM = 1;

const SOMEBODY = callerOf({ personId: 1, teamId: TEAM, name: 'Somebody' });

/** Creates the person who edits monitors and incidents, in the same transactions as the services use. */
export function createOperator(
  scenario: Scenario,
  database: Database,
  clock: FakeClock,
  random: Random,
  story: Story,
  doubles: Doubles,
): Operator {
  const monitors = new Map<number, OwnedMonitor>();
  const service = (doubles.createIncidentService ?? createIncidentService)({
    database,
    clock,
    secretBox: createSecretBox(['a key of the simulation']),
    openSignup: false,
    baseUrl: () => 'https://up.example.com',
  });
  const erased = new Set<number>();
  const manualActionAt = new Map<number, number>();
  const reopened = new Set<number>();

  const begin = (id: number, changed: Partial<Era>) => {
    const monitor = monitors.get(id)!;
    const era = {
      ...monitor.eras.at(-1)!,
      dueNow: null,
      ...changed,
      from: clock.monotonic(),
      wall: clock.now(),
    };
    monitor.eras.push(era);
  };

  async function create(settings: MonitorSettings): Promise<number> {
    const columns = columnsOf(scenario, settings);
    const id = await database.transaction(async (tx) => {
      const created = await monitorChanges(tx).insert(TEAM, columns, clock.now());
      await assign(tx, created, settings, clock.now());
      return created;
    });
    const { revision } = await database.read
      .selectFrom('monitor')
      .select('revision')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const era = { from: clock.monotonic(), wall: clock.now(), settings, revision };
    monitors.set(id, {
      id,
      manualActions: [],
      eras: [{ ...era, isPaused: false, isDeleted: false, dueNow: 'edit' }],
    });
    story.add(`a user creates monitor ${id}: ${summaryOf(scenario, settings)}`);
    return shardOf(id);
  }

  /** Assigns the inspections of a monitor, as the service does. */
  async function assign(
    tx: Transaction<Schema>,
    id: number,
    settings: MonitorSettings,
    now: number,
  ): Promise<void> {
    if (!scenario.isInspected) return;
    const { type, url, port, check_types } = columnsOf(scenario, settings);
    const targets = assignedTargets({ type, url, port, checkTypes: JSON.parse(check_types) });
    await inspectionAssignments(tx).assign(id, targets, now);
  }

  async function change(
    id: number,
    work: (tx: Transaction<Schema>, version: number) => Promise<void>,
    era: Partial<Era>,
    isRevision: boolean,
  ): Promise<number> {
    const version = await database.transaction(async (tx) => {
      const next = await nextVersion(tx, shardOf(id));
      await work(tx, next);
      return next;
    });
    begin(id, isRevision ? { ...era, revision: version } : era);
    return shardOf(id);
  }

  const drawSettings = () =>
    settingsFor(random, random.integer(0, scenario.targets.length - 1), scenario.isInspected);

  async function makeRandomChange(): Promise<number | null> {
    const living = [...monitors.values()].filter((monitor) => !monitor.eras.at(-1)!.isDeleted);
    const kind = random.weighted({
      revise: 4,
      rename: 2,
      pause: 3,
      hasten: 1,
      remove: 1,
      create: 1,
    });
    if (kind === 'create') return create(drawSettings());
    if (living.length === 0) return null;
    const { id, eras } = random.pick(living);
    const { settings, isPaused } = eras.at(-1)!;
    const now = clock.now();
    switch (kind) {
      case 'revise': {
        const next = { ...drawSettings(), type: settings.type };
        story.add(`a user edits monitor ${id}: ${summaryOf(scenario, next)}`);
        const work = async (tx: Transaction<Schema>, version: number) => {
          await monitorChanges(tx).revise(id, version, columnsOf(scenario, next), now);
          await assign(tx, id, next, now);
        };
        return change(id, work, { settings: next, dueNow: 'edit' }, true);
      }
      case 'rename': {
        const { failureThreshold, recoveryThreshold } = drawSettings();
        const next = { ...settings, failureThreshold, recoveryThreshold };
        story.add(
          `a user sets the thresholds of monitor ${id} to ${failureThreshold} and ${recoveryThreshold}`,
        );
        const work = (tx: Transaction<Schema>, version: number) =>
          monitorChanges(tx).update(id, version, columnsOf(scenario, next));
        return change(id, work, { settings: next }, false);
      }
      case 'hasten':
        story.add(`a user asks for a check of monitor ${id} now`);
        return change(
          id,
          async (tx, version) => {
            await monitorChanges(tx).scheduleNow(id, version, now);
            await inspectionAssignments(tx).makeDue(id, now, ['ssl', 'dns']);
          },
          { dueNow: 'request' },
          false,
        );
      case 'remove':
        story.add(`a user deletes monitor ${id}`);
        return change(
          id,
          async (tx, version) => {
            await monitorChanges(tx).markDeleted(id, version, now);
            await markMonitorsRemoved(tx, [id], now);
            await inspectionAssignments(tx).unassign([id]);
          },
          { isDeleted: true },
          true,
        );
      case 'pause': {
        story.add(`a user ${isPaused ? 'resumes' : 'pauses'} monitor ${id}`);
        const resume = async (tx: Transaction<Schema>, version: number) => {
          await monitorChanges(tx).resume(id, version, now);
          await assign(tx, id, settings, now);
        };
        return change(
          id,
          (tx, version) =>
            isPaused ? resume(tx, version) : monitorChanges(tx).pause(id, version, now),
          { isPaused: !isPaused, dueNow: isPaused ? 'edit' : null },
          true,
        );
      }
    }
  }

  async function handleRandomIncident(): Promise<void> {
    const incidents = await database.read
      .selectFrom('incident')
      .innerJoin('monitor', 'monitor.id', 'incident.monitor_id')
      .select(['incident.id', 'monitor_id', 'incident.type', 'ended_at'])
      .where('monitor.deleted_at', 'is', null)
      .orderBy('incident.id')
      .execute();
    const open = incidents.filter(({ ended_at }) => ended_at === null);
    const pool = open.length > 0 && random.chance(0.8) ? open : incidents;
    if (pool.length === 0) return;
    const { id, monitor_id, type, ended_at } = random.pick(pool);
    const drawn = random.weighted({ resolve: 5, delete: 2 });
    const action = ended_at !== null && drawn === 'resolve' ? 'reopen' : drawn;
    // The outcome for an incident that was reopened and then deleted can't be read from the database.
    if (action === 'delete' && reopened.has(id)) return;
    story.add(`a user wants to ${action} incident ${id}, ${type} of monitor ${monitor_id}`);
    if (action === 'delete') erased.add(id);
    if (action === 'reopen') reopened.add(id);
    try {
      if (action === 'delete') await service.deleteIncident(callOf(SOMEBODY, { id }));
      else if (action === 'resolve') await service.resolveIncident(callOf(SOMEBODY, { id }));
      else await service.updateIncident(callOf(SOMEBODY, { id, body: { status: 'open' } }));
      monitors.get(monitor_id)?.manualActions.push(clock.monotonic());
      manualActionAt.set(monitor_id, clock.monotonic());
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      story.add(`that is refused: ${error.message}`);
    }
  }

  async function requestChecks(): Promise<void> {
    for (const { id, eras } of monitors.values()) {
      if (eras.at(-1)!.isDeleted) continue;
      story.add(`a user asks for a check of monitor ${id} now`);
      const work = (tx: Transaction<Schema>, version: number) =>
        monitorChanges(tx).scheduleNow(id, version, clock.now());
      await change(id, work, {}, false);
    }
  }

  return {
    monitors,
    makeRandomChange,
    handleRandomIncident,
    create,
    requestChecks,
    erased,
    manualActionAt,
  };
}

export function summaryOf(scenario: Scenario, settings: MonitorSettings): string {
  const { type, target, intervalMs, timeoutMs, failureThreshold, recoveryThreshold, regions } =
    settings;
  const { host, kind } = scenario.targets[target]!;
  const slow =
    settings.slowResponseThresholdMs === null
      ? ''
      : `, slow over ${settings.slowResponseThresholdMs} ms`;
  const checks = [
    ...checkTypesOf(settings),
    ...(settings.checkBothFamilies ? ['both families'] : []),
  ];
  const beside = checks.length > 0 ? `, ${checks.join(' ')}` : '';
  return (
    `${type} ${host} (${kind}) every ${intervalMs / 1_000} s, deadline ${timeoutMs / 1_000} s, ` +
    `${failureThreshold} bad or ${recoveryThreshold} good rounds, from ${regions.join(' ')}${slow}${beside}`
  );
}

const KEYWORDS = JSON.stringify({ keywords: [{ phrase: 'All is well', mode: 'must_contain' }] });
const ASSERTIONS = JSON.stringify({
  assertions: [{ path: 'ok', operator: 'equals', value: true }],
});

/** Sub-checks that the monitor's type supports. */
function checkTypesOf(settings: MonitorSettings): string[] {
  const inspections = settings.inspections.filter(
    (kind) => kind !== 'ssl' || settings.type === 'http',
  );
  return [...inspections, ...(contentOf(settings) ? [settings.content!] : [])];
}

function urlOf(host: string, settings: MonitorSettings): string {
  if (settings.type !== 'http') return host;
  return isSecure(settings) ? `https://${host}/` : `http://${host}/`;
}

function columnsOf(scenario: Scenario, settings: MonitorSettings): MonitorColumns {
  const { host } = scenario.targets[settings.target]!;
  const isMaintained = scenario.alerts !== null && settings.type === MAINTAINED_TYPE;
  return {
    ...UNSET_COLUMNS,
    type: settings.type,
    url: urlOf(host, settings),
    check_interval: settings.intervalMs / 60_000,
    check_types: JSON.stringify(checkTypesOf(settings)),
    monitored_regions: JSON.stringify(settings.regions ?? WORLD_REGIONS),
    tags: isMaintained ? JSON.stringify([MAINTAINED_TAG]) : '[]',
    port: settings.type === 'port' ? HTTPS_PORT : null,
    group_id: isMaintained ? GROUP : null,
    keyword_settings: contentOf(settings) === 'keyword' ? KEYWORDS : null,
    json_assertion_settings: contentOf(settings) === 'json' ? ASSERTIONS : null,
    request_timeout: settings.timeoutMs / 1_000,
    ssl_expiry_threshold: settings.sslExpiryThreshold,
    domain_expiry_threshold: settings.domainExpiryThreshold,
    slow_response_threshold: settings.slowResponseThresholdMs,
    failure_threshold: settings.failureThreshold,
    recovery_threshold: settings.recoveryThreshold,
    check_both_families: settings.checkBothFamilies ? 1 : 0,
  };
}
