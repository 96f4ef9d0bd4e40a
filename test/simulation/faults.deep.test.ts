import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createAlive } from '../../src/engine/heartbeat/alive.ts';
import { createIngest } from '../../src/engine/heartbeat/ingest.ts';
import { createSweep } from '../../src/engine/heartbeat/sweep.ts';
import { createHistoryJobs } from '../../src/engine/history/jobs.ts';
import { createInspector } from '../../src/engine/inspect/inspector.ts';
import { createMaintenanceScheduler } from '../../src/engine/maintenance/scheduler.ts';
import { createScheduler } from '../../src/engine/schedule/scheduler.ts';
import { createRoundRecorder } from '../../src/engine/verdict/round-recorder.ts';
import type { InspectionRequest } from '../../src/model/inspection.ts';
import type { HttpResponse, HttpClient, HttpRequest } from '../../src/net/http-client.ts';
import { createNotifier } from '../../src/alerting/notifier.ts';
import { createDeliveryWorker } from '../../src/alerting/delivery/index.ts';
import type { Round } from '../../src/model/round.ts';
import { createIncidentService } from '../../src/resources/incidents/service.ts';
import { insertActivities } from '../../src/store/engine/incident-changes.ts';
import { editIncident } from '../../src/store/resources/incident-edits.ts';
import { dnsFacts } from '../support/target-facts.ts';
import {
  endMaintenance,
  copyOtherMonitor,
  withoutDeleting,
  withoutReading,
  skipHours,
  deleteSpansOfNeighbor,
  withEachCommit,
} from './history/faulty-database.ts';
import { noHistoryCoverage } from './history/coverage.ts';
import { MINUTE } from './history/scenario.ts';
import { runHistoryWorld } from './history/world.ts';
import { worldScenarioOf } from './blips.ts';
import { scenarioOf } from './scenario.ts';
import { PAIR_FAULTS } from './processes/faults.ts';
import type { Doubles } from './process.ts';
import { runSimulation } from './run.ts';

/** Faulty engines: some world must find each of them out. */
const FAULTS: Record<string, { doubles: Doubles; found: RegExp; isOfAlerting?: true }> = {
  'a recorder that counts each round twice': {
    doubles: recorderOf(async (round, submit) => {
      await submit(round);
      return submit({ ...round, slot: round.slot + 1 });
    }),
    found: /not that of a round/,
  },
  'a recorder for whom regions without a vote do not exist': {
    doubles: recorderOf((round, submit) => {
      const voting = round.results
        .filter(({ vote }) => vote !== 'unknown')
        .map(({ region }) => region);
      return submit({ ...round, knownRegions: voting });
    }),
    found: /which nobody can have seen|incidents are/,
  },
  'a recorder that loses one round in three': {
    doubles: recorderOf((round, submit) =>
      round.startedAt % 3 === 0
        ? Promise.resolve({ outcome: 'dropped', state: null })
        : submit(round),
    ),
    found: /nobody looked|must be|incidents are/,
  },
  'a scheduler that confirms everything at once': {
    doubles: {
      createScheduler: ({ recorder, ...rest }) =>
        createScheduler({
          ...rest,
          recorder: {
            submit: (round) =>
              recorder.submit({ ...round, settings: { ...round.settings, failureThreshold: 1 } }),
          },
        }),
    },
    found: /settings that it never had/,
  },
  'a person who resolves an incident and says nothing to its condition': {
    doubles: {
      createIncidentService: (deps) => ({
        ...createIncidentService(deps),
        resolve: (_caller, id) =>
          deps.database.transaction(async (tx) => {
            const now = deps.clock.now();
            await editIncident(tx, id, { ended_at: now }, now);
            const ids = { team_id: 1, incident_id: id, person_id: 1 };
            const text = { type: 'resolved', description: 'Resolved.' };
            await insertActivities(tx, [{ ...ids, ...text, created_at: now }]);
            return {};
          }),
      }),
    },
    found: /incidents are/,
  },
  'a recorder that takes wrong content for no answer at all': {
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
  'an inspector that is content with names that nobody can look up': {
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
  'an inspector that looks at nothing': {
    doubles: {
      createInspector: (rest) => Object.assign(createInspector(rest), { start: () => undefined }),
    },
    found: /should have been looked at|must show/,
  },
  'a process that acknowledges pings which it throws away': {
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
  'a process that evaluates silence whether it listened or not': {
    doubles: { createSweep: (rest) => createSweep({ ...rest, isCertain: () => true }) },
    found: /accused of silence/,
  },
  'a process that never says when nobody listened': {
    doubles: {
      createAlive: (dependencies) =>
        Object.assign(createAlive(dependencies), {
          start: () => Promise.resolve(),
          isCertain: () => true,
        }),
    },
    found: /accused of silence|count as seen/,
  },
  'a process that finds silence too soon': {
    doubles: {
      createSweep: ({ clock, ...rest }) =>
        createSweep({ ...rest, clock: { ...clock, now: () => clock.now() + 4_000 } }),
    },
    found: /judged too early/,
  },
  'a process that hands nothing on': {
    doubles: {
      createNotifier: (rest) => Object.assign(createNotifier(rest), { start: () => undefined }),
    },
    found: /not handed on/,
    isOfAlerting: true,
  },
  'a worker that takes every answer for a yes': {
    doubles: workerOf(async (request, http) => {
      await http.request(request);
      return { ok: true, status: 204, headers: {}, body: Buffer.alloc(0) };
    }),
    found: /is said to have been made/,
    isOfAlerting: true,
  },
  'a worker that sends a message under another id each time': {
    doubles: workerOf((request, http) => {
      const headers = { ...request.headers, 'webhook-id': `msg_${randomUUID()}` };
      return http.request({ ...request, headers });
    }),
    found: /the endpoint got \d+ events, and not its/,
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

/** Faulty roll-ups and retention, which run in a world of their own. */
const HISTORY_FAULTS: Record<string, { createJobs: typeof createHistoryJobs; found: RegExp }> = {
  'roll-ups of hours that are not over': {
    createJobs: ({ clock, ...rest }) =>
      createHistoryJobs({ ...rest, clock: { ...clock, now: () => clock.now() + 70 * MINUTE } }),
    found: /the roll-up says/,
  },
  'a roll-up cursor that skips an hour now and then': {
    createJobs: ({ database, ...rest }) =>
      createHistoryJobs({ ...rest, database: withEachCommit(database, skipHours) }),
    found: /the roll-up says/,
  },
  'a roll-up of the rounds of another monitor': {
    createJobs: ({ database, ...rest }) =>
      createHistoryJobs({ ...rest, database: withEachCommit(database, copyOtherMonitor) }),
    found: /the roll-up says/,
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
  'a purge that forgets what happened to a monitor': {
    createJobs: ({ database, ...rest }) =>
      createHistoryJobs({ ...rest, database: withoutDeleting(database, 'monitor_activity') }),
    found: /left 1 rows in monitor_activity/,
  },
  'a purge that takes the spans of a neighbor': {
    createJobs: ({ database, ...rest }) =>
      createHistoryJobs({ ...rest, database: withEachCommit(database, deleteSpansOfNeighbor) }),
    found: /rows are left in status_span/,
  },
  'retention that never begins': {
    createJobs: (rest) => Object.assign(createHistoryJobs(rest), { start: () => undefined }),
    found: /roll-ups have come to/,
  },
};

/** Faults that only worlds with maintenance windows show. */
const MAINTENANCE_FAULTS: Record<string, { doubles: Doubles; found: RegExp }> = {
  'a notifier that knows of no maintenance': {
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

describe('the rules can fail', { timeout: 120_000 }, () => {
  test.each(Object.entries(FAULTS))(
    '%s is found out',
    async (_, { doubles, found, isOfAlerting }) => {
      for (let seed = 1; seed <= 40; seed += 1) {
        if (isOfAlerting && scenarioOf(seed).alerts === null) continue;
        const { violations } = await runSimulation(seed, { doubles });
        if (violations.length === 0) continue;
        expect(violations[0]).toMatch(found);
        return;
      }
      expect.unreachable('no world found it out');
    },
  );

  test.each(Object.entries(HISTORY_FAULTS))(
    '%s: some weeks bring it to light',
    async (_, { createJobs, found }) => {
      for (let seed = 1; seed <= 40; seed += 1) {
        const doubles = { createHistoryJobs: createJobs };
        const { violations } = await runHistoryWorld(seed, noHistoryCoverage(), doubles);
        if (violations.length === 0) continue;
        expect(violations[0]).toMatch(found);
        return;
      }
      expect.unreachable('no world found it out');
    },
  );

  test.each(Object.entries(PAIR_FAULTS))(
    '%s: a world with two processes finds it out',
    async (_, { doubles, found }) => {
      for (let seed = 1; seed <= 600; seed += 1) {
        if (worldScenarioOf(seed).pair === null) continue;
        const { violations } = await runSimulation(seed, { doubles });
        if (violations.length === 0) continue;
        expect(violations[0]).toMatch(found);
        return;
      }
      expect.unreachable('no world found it out');
    },
  );

  test.each(Object.entries(MAINTENANCE_FAULTS))(
    '%s: a world with maintenance finds it out',
    async (_, { doubles, found }) => {
      for (let seed = 1; seed <= 1_000; seed += 1) {
        if (scenarioOf(seed).maintenance === null) continue;
        const { violations } = await runSimulation(seed, { doubles });
        if (violations.length === 0) continue;
        expect(violations[0]).toMatch(found);
        return;
      }
      expect.unreachable('no world found it out');
    },
  );
});
