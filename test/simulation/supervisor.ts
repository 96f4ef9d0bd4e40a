import type { Bus } from '../../src/engine/bus/contract.ts';
import type { Log } from '../../src/lib/log.ts';
import type { Round } from '../../src/model/round.ts';
import type { FakeClock } from '../support/fake-clock.ts';
import { settle } from './alerts/environment.ts';
import { createAlerting } from './alerts/alerting.ts';
import type { Receivers } from './alerts/alerting.ts';
import type { CheckRules } from './check-rules.ts';
import type { CountedDatabase } from './counted-database.ts';
import type { InspectionChecker } from './inspection/commit-checker.ts';
import { createInstance, crashableClock, neverFrozen } from './process-instance.ts';
import type { ProcessInstance } from './process-instance.ts';
import { crashableDatabase } from './crashable-database.ts';
import type { CrashableDatabaseOptions } from './crashable-database.ts';
import type { Scenario } from './scenario.ts';
import type { Probes } from './probes.ts';
import { startProcess } from './process.ts';
import type { Doubles, Process, ProcessOptions } from './process.ts';
import type { ProcessClock } from './processes/clock.ts';
import type { Random } from './random.ts';
import type { Story } from './story.ts';
import type { FaultInjector } from './fault-injector.ts';
import type { createCommitChecker, ObservedAll } from './commit-checker.ts';
import type { WorldDatabase } from './world-database.ts';

/** Starts process instances, kills or stops them, and starts the next one. */
export interface Supervisor {
  /** Starts the first instance. */
  begin(): void;
  /** Kills the running instance after that many crash points. The next one starts `downMs` later. */
  killAfter(crashPoints: number, downMs: number): void;
  /** Stops the running instance as on SIGTERM. The next one starts `downMs` later. */
  stop(downMs: number): Promise<void>;
  /** Kills the running instance and starts no other. */
  end(): void;
  /** Runs one more instance, of the alerting stages only, until nothing is left to deliver. */
  deliverRemaining(): Promise<void>;
  /** The running instance, or the last one. */
  current(): Process | null;
  /** Whether the running instance is stopping, or none runs. */
  isDown(): boolean;
  count(): number;
}

export interface SupervisorOptions {
  scenario: Scenario;
  doubles: Doubles;
  clock: FakeClock;
  random: Random;
  counted: CountedDatabase;
  read: WorldDatabase['read'];
  story: Story;
  faultInjector: FaultInjector;
  probes: Probes;
  checkRules: CheckRules;
  checker: ReturnType<typeof createCommitChecker>;
  inspectionChecker: InspectionChecker;
  /** Null in worlds without alerting. */
  receivers(): Receivers | null;
  log: Log;
  /** Called when an instance was killed or has stopped. */
  instanceEnded(instance: ProcessInstance): void;
  /** Set for each of two processes that share the database; null for a single process. */
  member?: Member | null;
}

/** What a supervisor knows of its process when two processes share the database. */
export interface Member {
  name: string;
  clock: ProcessClock;
  createOwnership: NonNullable<ProcessOptions['createOwnership']>;
  /** Called when the instance requests a check of the monitor. */
  checks(instance: ProcessInstance, monitorId: number): void;
  /** Called when the process was killed or begins to stop. */
  wentDown(): void;
  /** Called when the process starts again after it was down since `from`. */
  cameBack(from: number): void;
}

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { scenario, doubles, clock, random, counted, story, faultInjector, probes, checker, log } =
    options;
  const member = options.member ?? null;
  let count = 0;
  let current: Process | null = null;
  /** When the process began to stop or was killed. */
  let downSince: number | null = null;

  function begin(): void {
    count += 1;
    const name = member ? `${member.name}, instance ${count}` : `instance ${count}`;
    const instance = createInstance(name, member?.clock ?? neverFrozen(clock));
    story.add(`${instance.name} starts`);
    const database = databaseOf(instance);
    current = startProcess({
      instance,
      clock: member?.clock ?? clock,
      ...(member && { createOwnership: member.createOwnership }),
      bus: busOf(instance),
      database: crashableDatabase(database),
      inspectorsDatabase: scenario.isInspected
        ? crashableDatabase({ ...database, isRecorded: true })
        : null,
      alerting: alertingOf(instance),
      log,
      doubles,
      hasPushes: scenario.pushes.length > 0,
      submitted: (round) => submitted(instance, round),
    });
  }

  function databaseOf(instance: ProcessInstance): CrashableDatabaseOptions {
    return {
      real: counted.database,
      read: options.read,
      instance,
      faults: faultInjector.faults(random.fork(`faults ${count}`)),
      writes: counted.writes,
      now: () => clock.now(),
      observe: (tx, statements) => checker.observe(tx, statements),
      committed: (snapshot) => checker.committed(snapshot as ObservedAll, instance),
    };
  }

  function busOf(instance: ProcessInstance): Bus {
    const { bus } = probes;
    return {
      ...bus,
      ...options.inspectionChecker.busOf(bus, instance),
      check: options.checkRules.oneAtATime(
        member ? reportingBus(member, bus, instance) : bus,
        instance,
      ),
    };
  }

  function reportingBus({ checks }: Member, bus: Bus, instance: ProcessInstance): Bus {
    return {
      ...bus,
      check(region, request) {
        checks(instance, request.monitorId);
        const answer = bus.check(region, request);
        probes.checks.at(-1)!.wall = instance.now();
        return answer;
      },
    };
  }

  /**
   * Gives the alerting stages a database whose commits are not checked: they never change what the monitor rules check.
   */
  function alertingOf(instance: ProcessInstance) {
    const receivers = options.receivers();
    if (receivers === null) return null;
    const isMaintained = scenario.maintenance !== null;
    const database = crashableDatabase({
      ...databaseOf(instance),
      observe: async () => ({}),
      committed: () => undefined,
    });
    return { database, random: random.fork(`telling ${count}`), receivers, isMaintained };
  }

  function submitted(instance: ProcessInstance, round: Round): void {
    const first = round.results.map(
      ({ remoteAddress }) => probes.checks[Number(remoteAddress)]?.at ?? Infinity,
    );
    checker.submitted.push({ instance, at: Math.min(...first), round, isCounted: false });
  }

  function beginAfter(downMs: number): void {
    const from = (downSince ??= clock.monotonic());
    member?.wentDown();
    clock.after(Math.max(1, downMs), () => {
      if (member) member.cameBack(from);
      else faultInjector.disturbances.push({ kind: 'away', from, to: clock.monotonic() });
      downSince = null;
      begin();
    });
  }

  return {
    begin,
    killAfter(crashPoints, downMs) {
      const running = current;
      if (!running?.instance.isAlive()) return;
      running.instance.killAfter(crashPoints, () => {
        story.add(`${running.instance.name} is killed`);
        options.instanceEnded(running.instance);
        beginAfter(downMs);
      });
    },
    async stop(downMs) {
      const running = current;
      if (!running?.instance.isAlive()) return;
      story.add(`${running.instance.name} is asked to stop`);
      downSince ??= clock.monotonic();
      member?.wentDown();
      await running.stop();
      if (!running.instance.isAlive()) return;
      story.add(`${running.instance.name} has stopped`);
      running.instance.killAfter(Infinity, () => undefined);
      running.instance.kill();
      options.instanceEnded(running.instance);
      beginAfter(downMs);
    },
    end: () => current?.instance.kill(),
    async deliverRemaining() {
      current?.instance.kill();
      count += 1;
      const instance = createInstance('the last instance', neverFrozen(clock));
      const alerting = alertingOf(instance)!;
      const crashable = { instance, clock: crashableClock(clock, instance) };
      createAlerting({ ...crashable, log, doubles, ...alerting }).start();
      await settle(counted.database, clock);
      instance.kill();
    },
    current: () => current,
    isDown: () => downSince !== null,
    count: () => count,
  };
}
