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

/** The runs of the process, one after another: how each begins, ends, and is followed by the next. */
export interface Supervisor {
  /** The first one begins. */
  begin(): void;
  /** The one that runs is killed after so many steps; the next one begins so long after that. */
  killAfter(crashPoints: number, downMs: number): void;
  /** The one that runs ends as on SIGTERM; the next one begins so long after that. */
  stop(downMs: number): Promise<void>;
  /** The one that runs is no more, and nobody follows it. */
  end(): void;
  /** One more, in which only those who tell others are there, until all is told. */
  deliverRemaining(): Promise<void>;
  /** The one that runs, or was the last. */
  current(): Process | null;
  /** Whether the one that runs was asked to end, or is no more and the next one has not begun. */
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
  /** Null where nobody is told what happens. */
  receivers(): Receivers | null;
  log: Log;
  /** That life is over. */
  instanceEnded(instance: ProcessInstance): void;
  /** Of two processes that run beside each other; null where one runs alone. */
  member?: Member | null;
}

/** One of two processes: its lives follow one another beside those of the other one. */
export interface Member {
  name: string;
  clock: ProcessClock;
  createOwnership: NonNullable<ProcessOptions['createOwnership']>;
  /** That life asks for a check of that monitor. */
  checks(instance: ProcessInstance, monitorId: number): void;
  /** It is no more, or about to end by itself. */
  wentDown(): void;
  /** It was away since then, and begins now. */
  cameBack(from: number): void;
}

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { scenario, doubles, clock, random, counted, story, faultInjector, probes, checker, log } =
    options;
  const member = options.member ?? null;
  let count = 0;
  let current: Process | null = null;
  /** Since when the process is about to end by itself, or is no more. */
  let downSince: number | null = null;

  function begin(): void {
    count += 1;
    const name = member ? `${member.name}, life ${count}` : `life ${count}`;
    const instance = createInstance(name, member?.clock ?? neverFrozen(clock));
    story.add(`${instance.name} begins`);
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

  /** Those who tell others never touch what the rules about monitors speak of. */
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
      const instance = createInstance('the last life', neverFrozen(clock));
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
