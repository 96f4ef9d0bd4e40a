import type { Transaction } from 'kysely';
import { hashToken } from '../../../src/identity/token.ts';
import { shardOf } from '../../../src/model/monitor.ts';
import { markMonitorsRemoved } from '../../../src/store/alerting/alerts.ts';
import type { Database, Schema } from '../../../src/store/database/contract.ts';
import {
  type MonitorColumns,
  monitorChanges,
} from '../../../src/store/resources/monitor-changes.ts';
import { nextVersion } from '../../../src/store/engine/shards.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import { MONITOR_COLUMNS } from '../../support/monitor-rows.ts';
import type { Random } from '../random.ts';
import type { Story } from '../story.ts';
import {
  allowancesFor,
  everyFor,
  expressionOf,
  pushScenarioOf,
  summaryOf,
  type PushScenario,
  type PushSettings,
} from './scenario.ts';
import { nextTime } from './reference-model.ts';

/** A push monitor with all its committed settings. */
export interface OwnedPush {
  id: number;
  scenario: PushScenario;
  tokenHash: string;
  eras: PushEra[];
}

/** Settings that were committed at `from` (milliseconds since the world began), `wall` by the wall clock. */
export interface PushEra {
  from: number;
  wall: number;
  settings: PushSettings;
  isPaused: boolean;
  isDeleted: boolean;
  revision: number;
  /** The new expected time of the next ping; null if unchanged. */
  expectedAt: number | null;
  /** Whether runs in progress are discarded. */
  isResumed: boolean;
}

export interface PushOwner {
  readonly pushes: Map<number, OwnedPush>;
  create(scenario: PushScenario): Promise<void>;
  /** Makes one random change of a random monitor. */
  makeRandomChange(): Promise<void>;
}

export interface PushOwnerOptions {
  database: Database;
  clock: FakeClock;
  random: Random;
  story: Story;
  wildMs: number;
  team: number;
  /** Called with each monitor that is new or has other settings. */
  changed(push: OwnedPush): void;
}

/** Creates the person who edits push monitors, in the same transactions as the services use. */
export function createPushOwner(options: PushOwnerOptions): PushOwner {
  const { database, clock, random, story, team, changed } = options;
  const pushes = new Map<number, OwnedPush>();

  async function create(scenario: PushScenario): Promise<void> {
    const { settings } = scenario;
    const [wall, from] = [clock.now(), clock.monotonic()];
    const tokenHash = hashToken(`token ${pushes.size}`);
    const columns = {
      ...NO_CHECK,
      ...columnsOf(settings),
      ping_token: 'sealed',
      ping_token_hash: tokenHash,
    };
    const expectedAt = nextTime(settings, wall);
    await database.transaction(async (tx) => {
      const id = await monitorChanges(tx).insert(team, columns, wall, expectedAt);
      const { revision } = await tx
        .selectFrom('monitor')
        .select('revision')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const state = { isPaused: false, isDeleted: false, isResumed: false };
      const era = { from, wall, settings, revision, expectedAt, ...state };
      pushes.set(id, { id, scenario, tokenHash, eras: [era] });
      story.add(
        `a user creates push monitor ${id}: ${summaryOf(settings)}; its job is ${scenario.job.kind}`,
      );
    });
    changed([...pushes.values()].at(-1)!);
  }

  /** The era is added inside the transaction, so that no commit is seen in between. */
  async function change(
    push: OwnedPush,
    work: (tx: Transaction<Schema>, version: number) => Promise<void>,
    era: Partial<PushEra>,
  ): Promise<void> {
    await database.transaction(async (tx) => {
      const revision = await nextVersion(tx, shardOf(push.id));
      await work(tx, revision);
      const times = { from: clock.monotonic(), wall: clock.now() };
      const before = push.eras.at(-1)!;
      push.eras.push({ ...before, expectedAt: null, isResumed: false, ...era, ...times, revision });
    });
    changed(push);
  }

  function edit(push: OwnedPush, next: PushSettings): Promise<void> {
    const { settings } = push.eras.at(-1)!;
    story.add(`a user edits push monitor ${push.id}: ${summaryOf(next)}`);
    const now = clock.now();
    const isSame = next.schedule.everyMs === settings.schedule.everyMs;
    const expectedAt = isSame ? null : nextTime(next, now);
    const expected = expectedAt === null ? null : { at: expectedAt, beforeFirstPing: false };
    return change(
      push,
      (tx, version) =>
        monitorChanges(tx).reviseHeartbeat(push.id, version, columnsOf(next), expected, now),
      { settings: next, expectedAt },
    );
  }

  return {
    pushes,
    create,
    async makeRandomChange() {
      const living = [...pushes.values()].filter((push) => !push.eras.at(-1)!.isDeleted);
      const kind = random.weighted({ schedule: 3, allowances: 3, pause: 4, remove: 1, create: 1 });
      if (kind === 'create' || living.length === 0)
        return create(pushScenarioOf(random, options.wildMs));
      const push = random.pick(living);
      const { id } = push;
      const { settings, isPaused } = push.eras.at(-1)!;
      const now = clock.now();
      switch (kind) {
        case 'schedule': {
          const schedule = {
            ...settings.schedule,
            everyMs: everyFor(random, settings.schedule.kind),
          };
          return edit(push, { ...settings, schedule });
        }
        case 'allowances':
          return edit(push, { ...settings, ...allowancesFor(random) });
        case 'remove':
          story.add(`a user deletes push monitor ${id}`);
          return change(
            push,
            async (tx, version) => {
              await monitorChanges(tx).markDeleted(id, version, now);
              await markMonitorsRemoved(tx, [id], now);
            },
            { isDeleted: true },
          );
        case 'pause': {
          story.add(`a user ${isPaused ? 'resumes' : 'pauses'} push monitor ${id}`);
          if (!isPaused)
            return change(push, (tx, version) => monitorChanges(tx).pause(id, version, now), {
              isPaused: true,
            });
          const expectedAt = nextTime(settings, now);
          return change(
            push,
            (tx, version) => monitorChanges(tx).resume(id, version, now, expectedAt),
            {
              isPaused: false,
              isResumed: true,
              expectedAt,
            },
          );
        }
      }
    },
  };
}

const {
  team_id: _team,
  shard: _shard,
  is_paused: _paused,
  version: _version,
  revision: _revision,
  deleted_at: _deleted,
  created_at: _created,
  updated_at: _updated,
  ...COLUMNS
} = MONITOR_COLUMNS;
const NO_CHECK: MonitorColumns = { ...COLUMNS, url: '', monitored_regions: '[]' };

function columnsOf({ schedule, graceMs, waitsForFirstPing, maxRuntimeMs }: PushSettings) {
  const isCron = schedule.kind === 'cron';
  return {
    type: isCron ? 'cron' : 'heartbeat',
    heartbeat_interval: isCron ? null : schedule.everyMs / 1_000,
    heartbeat_cron_expression: isCron ? expressionOf(schedule.everyMs) : null,
    heartbeat_timezone: 'UTC',
    heartbeat_grace: graceMs / 1_000,
    heartbeat_wait_for_first_ping: waitsForFirstPing ? 1 : 0,
    heartbeat_max_runtime: maxRuntimeMs === null ? null : maxRuntimeMs / 1_000,
  };
}
