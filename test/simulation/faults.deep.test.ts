import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Alive } from '../../src/engine/heartbeat/alive.ts';
import { createIngest } from '../../src/engine/heartbeat/ingest.ts';
import { createSweep } from '../../src/engine/heartbeat/sweep.ts';
import { createHistoryJobs } from '../../src/engine/history/jobs.ts';
import { createInspector } from '../../src/engine/inspect/inspector.ts';
import { createMaintenanceScheduler } from '../../src/engine/maintenance/scheduler.ts';
import { Scheduler } from '../../src/engine/schedule/scheduler.ts';
import { createRoundRecorder } from '../../src/engine/index.ts';
import type { InspectionRequest } from '../../src/model/inspection.ts';
import type { HttpResponse, HttpClient, HttpRequest } from '../../src/net/http-client.ts';
import { createNotifier } from '../../src/alerting/notifier.ts';
import { createDeliveryWorker } from '../../src/alerting/delivery/worker.ts';
import type { Round } from '../../src/model/round.ts';
import { createIncidentService } from '../../src/resources/incidents/incidents.ts';
import { incidentChanges } from '../../src/store/engine/incident-changes.ts';
import { editIncident } from '../../src/store/resources/incidents.ts';
import { dnsFacts } from '../support/target-facts.ts';
import { noCoverage } from './coverage.ts';
import {
  endMaintenance,
  copyOtherMonitor,
  withoutDeleting,
  withoutReading,
  skipHours,
  deleteSpansOfNeighbor,
  withEachCommit,
  withEventsMarkedFirst,
} from './history/faulty-database.ts';
import { MINUTE } from './history/scenario.ts';
import { runHistoryWorld } from './history/world.ts';
import { worldScenarioOf } from './blips.ts';
import { scenarioOf } from './scenario.ts';
import type { Doubles } from './process.ts';
import { runSimulation } from './run.ts';
import { leasedOwnership, fullOwnership } from '../../src/engine/schedule/shards.ts';
import type { LeaseStore } from '../../src/store/engine/shards.ts';

/** Faults that only worlds with two processes can detect. */
const PAIR_FAULTS: Record<string, { doubles: Doubles; found: RegExp }> = {
  'a process that ignores leases': {
    doubles: { createOwnership: fullOwnership },
    found: /checks it, but its lease/,
  },
  'a process that owns more than its share': {
    doubles: storeOf(() => ({ fairShare: () => 256 })),
    found: /but its share is/,
  },
};

function storeOf(change: (store: LeaseStore) => Partial<LeaseStore>): Doubles {
  return {
    createOwnership: ({ store, ...rest }) =>
      leasedOwnership({ ...rest, store: { ...store!, ...change(store!) } }),
  };
}

/** Faulty engines: some world must detect each of them. */
const FAULTS: Record<
  string,
  { doubles: Doubles; found: RegExp; isOfAlerting?: true; from?: number }
> = {
  'a recorder that counts each round twice': {
    doubles: recorderOf(async (round, submit) => {
      await submit(round);
      return submit({ ...round, slot: round.slot + 1 });
    }),
    found: /not that of a round/,
  },
  'a recorder that ignores regions without a vote': {
    doubles: recorderOf((round, submit) => {
      const voting = round.results
        .filter(({ vote }) => vote !== 'unknown')
        .map(({ region }) => region);
      return submit({ ...round, knownRegions: voting });
    }),
    found: /which its targets rule out|incidents are/,
  },
  'a recorder that loses one round in three': {
    doubles: recorderOf((round, submit) =>
      round.startedAt % 3 === 0
        ? Promise.resolve({ outcome: 'dropped', state: null })
        : submit(round),
    ),
    found: /no round started|must be|incidents are/,
  },
  'a scheduler that confirms every failure at once': {
    doubles: {
      createScheduler: ({ recorder, ...rest }) =>
        new Scheduler({
          ...rest,
          recorder: {
            submit: (round) =>
              recorder.submit({ ...round, settings: { ...round.settings, failureThreshold: 1 } }),
          },
        }),
    },
    found: /settings that it never had/,
  },
  'a service that resolves an incident without its condition': {
    doubles: {
      createIncidentService: (deps) => ({
        ...createIncidentService(deps),
        resolveIncident: ({ id }) =>
          deps.database.transaction(async (tx) => {
            const now = deps.clock.now();
            await editIncident(tx, id, { ended_at: now }, now);
            const ids = { team_id: 1, incident_id: id, person_id: 1 };
            const text = { type: 'resolved', description: 'Resolved.' };
            await incidentChanges(tx).insertActivities([{ ...ids, ...text, created_at: now }]);
            return {} as never;
          }),
      }),
    },
    found: /incidents are/,
  },
  'a recorder that treats wrong content as no answer': {
    doubles: recorderOf((round, submit) =>
      submit({
        ...round,
        results: round.results.map((result) => ({
          ...result,
          failure: result.failure && { ...result.failure, code: 'no_response' },
        })),
      }),
    ),
    found: /incidents are|must be/,
  },
  'an inspector that accepts names that do not resolve': {
    doubles: {
      createInspector: ({ bus, ...rest }) =>
        createInspector({
          ...rest,
          bus: {
            async inspect<Request extends InspectionRequest>(request: Request) {
              const result = await bus.inspect(request);
              const known = { state: 'known', facts: dnsFacts('192.0.2.1') };
              return result.state === 'failed' ? (known as unknown as typeof result) : result;
            },
          },
        }),
    },
    found: /incidents are|changed records/,
  },
  'an inspector that never runs': {
    doubles: {
      createInspector: (rest) => Object.assign(createInspector(rest), { start: () => undefined }),
    },
    found: /is overdue|must be recorded/,
  },
  'a process that acknowledges pings and discards them': {
    doubles: {
      createIngest(dependencies) {
        const ingest = createIngest(dependencies);
        const allowance = { limit: 10, remaining: 10, resetAt: 0 };
        const isThrownAway = () => dependencies.clock.now() % 5 === 0;
        const take: typeof ingest.take = (ping) =>
          isThrownAway() ? Promise.resolve({ kind: 'recorded', allowance }) : ingest.take(ping);
        return { ...ingest, take };
      },
    },
    found: /recorded, but it is not on disk/,
  },
  'a process that reports missed pings though it was not listening': {
    doubles: { createSweep: (rest) => createSweep({ ...rest, isCertain: () => true }) },
    found: /reported as silent/,
  },
  'a process that never records when it was not listening': {
    doubles: {
      createAlive: (dependencies) =>
        Object.assign(new Alive(dependencies), {
          start: () => Promise.resolve(),
          isCertain: () => true,
        }),
    },
    found: /reported as silent|count as observed/,
  },
  'a process that reports missed pings too early': {
    doubles: {
      createSweep: ({ clock, ...rest }) =>
        createSweep({ ...rest, clock: { ...clock, now: () => clock.now() + 4_000 } }),
    },
    found: /evaluated too early/,
  },
  'a process that never fans out events': {
    doubles: {
      createNotifier: (rest) => Object.assign(createNotifier(rest), { start: () => undefined }),
    },
    found: /not fanned out/,
    isOfAlerting: true,
  },
  'a process that marks events as fanned out before it fans them out': {
    doubles: {
      createNotifier: ({ database, clock, ...rest }) =>
        createNotifier({ ...rest, clock, database: withEventsMarkedFirst(database, clock) }),
    },
    found: /was delivered to no receiver/,
    isOfAlerting: true,
    // Few worlds kill the process between the two.
    from: 110,
  },
  'a worker that treats every response as a success': {
    doubles: workerOf(async (request, http) => {
      await http.request(request);
      return { ok: true, status: 204, headers: {}, body: Buffer.alloc(0) };
    }),
    found: /marked as delivered but was never accepted/,
    isOfAlerting: true,
  },
  'a worker that sends each attempt under another id': {
    doubles: workerOf((request, http) => {
      const headers = { ...request.headers, 'webhook-id': `msg_${randomUUID()}` };
      return http.request({ ...request, headers });
    }),
    found: /the endpoint got \d+ events instead of/,
    isOfAlerting: true,
  },
};

function workerOf(
  request: (request: HttpRequest, http: HttpClient) => Promise<HttpResponse>,
): Doubles {
  return {
    createDeliveryWorker: ({ tools, ...rest }) =>
      createDeliveryWorker({
        ...rest,
        tools: { ...tools, http: { request: (asked) => request(asked, tools.http) } },
      }),
  };
}

type Submit = ReturnType<typeof createRoundRecorder>['submit'];

function recorderOf(submit: (round: Round, real: Submit) => ReturnType<Submit>): Doubles {
  return {
    createRoundRecorder(dependencies) {
      const recorder = createRoundRecorder(dependencies);
      return { ...recorder, submit: (round) => submit(round, recorder.submit) };
    },
  };
}

/** Faulty roll-ups and retention, which run in separate worlds. */
const HISTORY_FAULTS: Record<string, { createJobs: typeof createHistoryJobs; found: RegExp }> = {
  'roll-ups of unfinished hours': {
    createJobs: ({ clock, ...rest }) =>
      createHistoryJobs({ ...rest, clock: { ...clock, now: () => clock.now() + 70 * MINUTE } }),
    found: /the roll-up is/,
  },
  'a roll-up cursor that skips an hour now and then': {
    createJobs: ({ database, ...rest }) =>
      createHistoryJobs({ ...rest, database: withEachCommit(database, skipHours) }),
    found: /the roll-up is/,
  },
  'a roll-up of the rounds of another monitor': {
    createJobs: ({ database, ...rest }) =>
      createHistoryJobs({ ...rest, database: withEachCommit(database, copyOtherMonitor) }),
    found: /the roll-up is/,
  },
  'retention that keeps results for a day less': {
    createJobs: ({ rawRetentionDays, ...rest }) =>
      createHistoryJobs({ ...rest, rawRetentionDays: rawRetentionDays - 1 }),
    found: /dropped too early/,
  },
  'retention that keeps results for three days more': {
    createJobs: ({ rawRetentionDays, ...rest }) =>
      createHistoryJobs({ ...rest, rawRetentionDays: rawRetentionDays + 3 }),
    found: /is kept for too long/,
  },
  'a purge that keeps the activities of a monitor': {
    createJobs: ({ database, ...rest }) =>
      createHistoryJobs({ ...rest, database: withoutDeleting(database, 'monitor_activity') }),
    found: /left 1 rows in monitor_activity/,
  },
  'a purge that deletes the spans of another monitor': {
    createJobs: ({ database, ...rest }) =>
      createHistoryJobs({ ...rest, database: withEachCommit(database, deleteSpansOfNeighbor) }),
    found: /rows are left in status_span/,
  },
  'retention that never starts': {
    createJobs: (rest) => Object.assign(createHistoryJobs(rest), { start: () => undefined }),
    found: /roll-ups have only reached/,
  },
};

/** Faults that only worlds with maintenance windows can detect. */
const MAINTENANCE_FAULTS: Record<string, { doubles: Doubles; found: RegExp }> = {
  'a notifier that ignores maintenance': {
    doubles: {
      createNotifier: ({ database, ...rest }) =>
        createNotifier({ ...rest, database: withoutReading(database, 'maintenance_occurrence') }),
    },
    found: /in maintenance/,
  },
  'a scheduler that ends maintenance without good rounds': {
    doubles: {
      createMaintenanceScheduler: ({ database, ...rest }) =>
        createMaintenanceScheduler({ ...rest, database: withEachCommit(database, endMaintenance) }),
    },
    found: /ended early/,
  },
};

/** Seeds up to `last` whose scenario has what is needed. */
function* seedsWith(
  last: number,
  isSuited: (seed: number) => boolean = () => true,
): Generator<number> {
  for (let seed = 1; seed <= last; seed += 1) if (isSuited(seed)) yield seed;
}

/** The first broken rule of the first world that breaks any. */
async function firstViolation(
  seeds: Iterable<number>,
  run: (seed: number) => Promise<{ violations: string[] }>,
): Promise<string> {
  for (const seed of seeds) {
    const { violations } = await run(seed);
    if (violations.length > 0) return violations[0]!;
  }
  return 'no world detected it';
}

describe('the rules can fail', { timeout: 600_000 }, () => {
  test.each(Object.entries(FAULTS))(
    '%s is detected',
    async (_, { doubles, found, isOfAlerting, from = 1 }) => {
      const isSuited = (seed: number) => !isOfAlerting || scenarioOf(seed).alerts !== null;
      const seeds = seedsWith(from + 39, (seed) => seed >= from && isSuited(seed));
      expect(await firstViolation(seeds, (seed) => runSimulation(seed, { doubles }))).toMatch(
        found,
      );
    },
  );

  test.each(Object.entries(HISTORY_FAULTS))(
    '%s is detected by a history world',
    async (_, { createJobs, found }) => {
      const doubles = { createHistoryJobs: createJobs };
      const run = (seed: number) => runHistoryWorld(seed, noCoverage(), doubles);
      expect(await firstViolation(seedsWith(40), run)).toMatch(found);
    },
  );

  test.each(Object.entries(PAIR_FAULTS))(
    '%s is detected by a world with two processes',
    async (_, { doubles, found }) => {
      const seeds = seedsWith(600, (seed) => worldScenarioOf(seed).pair !== null);
      expect(await firstViolation(seeds, (seed) => runSimulation(seed, { doubles }))).toMatch(
        found,
      );
    },
  );

  test.each(Object.entries(MAINTENANCE_FAULTS))(
    '%s is detected by a world with maintenance',
    async (_, { doubles, found }) => {
      const seeds = seedsWith(1_000, (seed) => scenarioOf(seed).maintenance !== null);
      expect(await firstViolation(seeds, (seed) => runSimulation(seed, { doubles }))).toMatch(
        found,
      );
    },
  );
});
