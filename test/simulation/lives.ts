import type { Bus } from '../../src/engine/bus/contract.ts';
import type { Log } from '../../src/lib/log.ts';
import type { Round } from '../../src/model/round.ts';
import type { FakeClock } from '../support/fake-clock.ts';
import { settle } from './alerts/side.ts';
import { createTellers } from './alerts/tellers.ts';
import type { Receivers } from './alerts/tellers.ts';
import type { CheckRules } from './check-rules.ts';
import type { CountedDatabase } from './counted-database.ts';
import type { InspectionWatcher } from './inspection/watcher.ts';
import { createLife, mortalClock, wakeful } from './life.ts';
import type { Life } from './life.ts';
import { mortalDatabase } from './mortal-database.ts';
import type { MortalDatabaseOptions } from './mortal-database.ts';
import type { Plan } from './plan.ts';
import type { Probes } from './probes.ts';
import { startProcess } from './process.ts';
import type { Doubles, Process, ProcessOptions } from './process.ts';
import type { ProcessClock } from './processes/clock.ts';
import type { Random } from './random.ts';
import type { Story } from './story.ts';
import type { Troubles } from './troubles.ts';
import type { createWatcher, ObservedAll } from './watcher.ts';
import type { WorldDatabase } from './world-database.ts';

/** The runs of the process, one after another: how each begins, ends, and is followed by the next. */
export interface Lives {
  /** The first one begins. */
  begin(): void;
  /** The one that runs is killed after so many steps; the next one begins so long after that. */
  killSoon(touches: number, awayMs: number): void;
  /** The one that runs ends as on SIGTERM; the next one begins so long after that. */
  stop(awayMs: number): Promise<void>;
  /** The one that runs is no more, and nobody follows it. */
  end(): void;
  /** One more, in which only those who tell others are there, until all is told. */
  tellTheRest(): Promise<void>;
  /** The one that runs, or was the last. */
  current(): Process | null;
  /** Whether the one that runs was asked to end, or is no more and the next one has not begun. */
  isAway(): boolean;
  count(): number;
}

export interface LivesOptions {
  plan: Plan;
  doubles: Doubles;
  clock: FakeClock;
  random: Random;
  counted: CountedDatabase;
  read: WorldDatabase['read'];
  story: Story;
  troubles: Troubles;
  probes: Probes;
  checkRules: CheckRules;
  watcher: ReturnType<typeof createWatcher>;
  inspectionWatcher: InspectionWatcher;
  /** Null where nobody is told what happens. */
  receivers(): Receivers | null;
  log: Log;
  /** That life is over. */
  died(life: Life): void;
  /** Of two processes that run beside each other; null where one runs alone. */
  member?: Member | null;
}

/** One of two processes: its lives follow one another beside those of the other one. */
export interface Member {
  name: string;
  clock: ProcessClock;
  createOwnership: NonNullable<ProcessOptions['createOwnership']>;
  /** That life asks for a check of that monitor. */
  checks(life: Life, monitorId: number): void;
  /** It is no more, or about to end by itself. */
  isGone(): void;
  /** It was away since then, and begins now. */
  isBack(from: number): void;
}

export function createLives(options: LivesOptions): Lives {
  const { plan, doubles, clock, random, counted, story, troubles, probes, watcher, log } = options;
  const member = options.member ?? null;
  let count = 0;
  let current: Process | null = null;
  /** Since when the process is about to end by itself, or is no more. */
  let awaySince: number | null = null;

  function begin(): void {
    count += 1;
    const name = member ? `${member.name}, life ${count}` : `life ${count}`;
    const life = createLife(name, member?.clock ?? wakeful(clock));
    story.tell(`${life.name} begins`);
    const database = databaseOf(life);
    current = startProcess({
      life,
      clock: member?.clock ?? clock,
      ...(member && { createOwnership: member.createOwnership }),
      bus: busOf(life),
      database: mortalDatabase(database),
      inspectorsDatabase: plan.isInspected
        ? mortalDatabase({ ...database, isRecorded: true })
        : null,
      telling: tellingOf(life),
      log,
      doubles,
      hasPushes: plan.pushes.length > 0,
      submitted: (round) => submitted(life, round),
    });
  }

  function databaseOf(life: Life): MortalDatabaseOptions {
    return {
      real: counted.database,
      read: options.read,
      life,
      faults: troubles.faults(random.fork(`faults ${count}`)),
      writes: counted.writes,
      now: () => clock.now(),
      observe: (tx, statements) => watcher.observe(tx, statements),
      committed: (snapshot) => watcher.committed(snapshot as ObservedAll, life),
    };
  }

  function busOf(life: Life): Bus {
    const { bus } = probes;
    return {
      ...bus,
      ...options.inspectionWatcher.busOf(bus, life),
      check: options.checkRules.oneAtATime(member ? watched(member, bus, life) : bus, life),
    };
  }

  function watched({ checks }: Member, bus: Bus, life: Life): Bus {
    return {
      ...bus,
      check(region, request) {
        checks(life, request.monitorId);
        const answer = bus.check(region, request);
        probes.checks.at(-1)!.wall = life.now();
        return answer;
      },
    };
  }

  /** Those who tell others never touch what the rules about monitors speak of. */
  function tellingOf(life: Life) {
    const receivers = options.receivers();
    if (receivers === null) return null;
    const isMaintained = plan.maintenance !== null;
    const database = mortalDatabase({
      ...databaseOf(life),
      observe: async () => ({}),
      committed: () => undefined,
    });
    return { database, random: random.fork(`telling ${count}`), receivers, isMaintained };
  }

  function submitted(life: Life, round: Round): void {
    const first = round.results.map(
      ({ remoteAddress }) => probes.checks[Number(remoteAddress)]?.at ?? Infinity,
    );
    watcher.submitted.push({ life, at: Math.min(...first), round, isCounted: false });
  }

  function beginAfter(awayMs: number): void {
    const from = (awaySince ??= clock.monotonic());
    member?.isGone();
    clock.after(Math.max(1, awayMs), () => {
      if (member) member.isBack(from);
      else troubles.disturbances.push({ kind: 'away', from, to: clock.monotonic() });
      awaySince = null;
      begin();
    });
  }

  return {
    begin,
    killSoon(touches, awayMs) {
      const running = current;
      if (!running?.life.isAlive()) return;
      running.life.dieAfter(touches, () => {
        story.tell(`${running.life.name} is killed`);
        options.died(running.life);
        beginAfter(awayMs);
      });
    },
    async stop(awayMs) {
      const running = current;
      if (!running?.life.isAlive()) return;
      story.tell(`${running.life.name} is asked to stop`);
      awaySince ??= clock.monotonic();
      member?.isGone();
      await running.stop();
      if (!running.life.isAlive()) return;
      story.tell(`${running.life.name} has stopped`);
      running.life.dieAfter(Infinity, () => undefined);
      running.life.kill();
      options.died(running.life);
      beginAfter(awayMs);
    },
    end: () => current?.life.kill(),
    async tellTheRest() {
      current?.life.kill();
      count += 1;
      const life = createLife('the last life', wakeful(clock));
      const telling = tellingOf(life)!;
      const mortal = { life, clock: mortalClock(clock, life) };
      createTellers({ ...mortal, log, doubles, ...telling }).start();
      await settle(counted.database, clock);
      life.kill();
    },
    current: () => current,
    isAway: () => awaySince !== null,
    count: () => count,
  };
}
