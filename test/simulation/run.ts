import type { Round } from '../../src/model/round.ts';
import { Closed } from '../../src/lib/group-commit.ts';
import { openDatabase } from '../../src/store/database.ts';
import type { Database } from '../../src/store/contract.ts';
import { DatabaseUnavailable } from '../../src/store/errors.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import type { FakeClock } from '../support/fake-clock.ts';
import { checkAlertsAtTheEnd, checkNothingIsLate } from './alerts/end.ts';
import { noAlertLooks } from './alerts/looks.ts';
import type { AlertLooks } from './alerts/looks.ts';
import type { Strike } from './alerts/plan.ts';
import { createAlertSide, settle } from './alerts/side.ts';
import type { AlertSide } from './alerts/side.ts';
import { createTellers } from './alerts/tellers.ts';
import { checkAtTheEnd } from './end.ts';
import type { Looks } from './expectations.ts';
import { checkInspectionsAtTheEnd } from './inspection/end.ts';
import { createInspectionWatcher } from './inspection/watcher.ts';
import type { InspectionWatcher } from './inspection/watcher.ts';
import { createLife, mortalClock } from './life.ts';
import type { Life } from './life.ts';
import { mortalDatabase } from './mortal-database.ts';
import type { MortalDatabaseOptions } from './mortal-database.ts';
import { createOperator } from './operator.ts';
import type { Operator } from './operator.ts';
import { planOf } from './plan.ts';
import type { Disruption, Plan } from './plan.ts';
import { createProbes } from './probes.ts';
import type { Probes, SeenCheck } from './probes.ts';
import { startProcess } from './process.ts';
import type { Doubles, Process } from './process.ts';
import { checkPushesAtTheEnd } from './push/end.ts';
import { noPushLooks } from './push/looks.ts';
import type { PushLooks } from './push/looks.ts';
import { createPushSide } from './push/side.ts';
import type { PushSide } from './push/side.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import { createStory } from './story.ts';
import type { Story } from './story.ts';
import { createTroubles } from './troubles.ts';
import type { Troubles } from './troubles.ts';
import { createWatcher } from './watcher.ts';
import type { ObservedAll } from './watcher.ts';

export interface Outcome {
  seed: number;
  /** The rules that were broken, the first one first; empty when all held. */
  violations: string[];
  /** The timeline, for people. */
  story: string[];
  /** What there was to look at, so that a test can see that no rule sleeps. */
  looks: Looks & PushLooks & AlertLooks;
  counts: Record<'rounds' | 'pings' | 'incidents' | 'lives' | 'edits' | 'virtualMs', number>;
}

export interface SimulationOptions {
  doubles?: Doubles;
  plan?: Plan;
}

/** Runs one world from beginning to end. The same seed gives the same story, to the letter. */
export async function runSimulation(
  seed: number,
  options: SimulationOptions = {},
): Promise<Outcome> {
  const world = await World.create(options.plan ?? planOf(seed), options.doubles ?? {});
  return world.run();
}

const LOOK_EVERY_MS = 60_000;
/** Transactions at one instant. */
const MOST_AT_ONCE = 2_000;
/** An edit that nobody told of is read within half a second. */
const READ_EDITS_MS = 1_500;

class World {
  readonly #plan: Plan;
  readonly #doubles: Doubles;
  readonly #clock: FakeClock;
  readonly #random: Random;
  readonly #real: Database;
  readonly #story: Story;
  readonly #troubles: Troubles;
  readonly #probes: Probes;
  readonly #operator: Operator;
  readonly #pushSide: PushSide;
  readonly #watcher: ReturnType<typeof createWatcher>;
  readonly #inspectionWatcher: InspectionWatcher;
  readonly #violations: string[] = [];
  readonly #looking = new Map<string, number>();
  /** Null where nobody is told what happens. */
  #alertSide: AlertSide | null = null;
  #writes = 0;
  /** Since when the process is about to end by itself, or is no more. */
  #stoppingSince: number | null = null;
  #lives = 0;
  #busy = { at: 0, transactions: 0 };
  #process: Process | null = null;

  static async create(plan: Plan, doubles: Doubles): Promise<World> {
    const random = createRandom(plan.seed).fork('world');
    // Often close to midnight, since results lie in tables of a day each.
    const minute = random.chance(0.3)
      ? 24 * 60 - random.integer(1, 20)
      : random.integer(0, 24 * 60 - 1);
    const clock = createFakeClock({
      now: Date.UTC(2030, 4, 17) + minute * 60_000 + random.integer(0, 59_999),
    });
    const real = await openDatabase({ engine: 'sqlite', directory: ':memory:', clock });
    return new World(plan, doubles, clock, random, real);
  }

  constructor(plan: Plan, doubles: Doubles, clock: FakeClock, random: Random, real: Database) {
    this.#plan = plan;
    this.#doubles = doubles;
    this.#clock = clock;
    this.#random = random;
    this.#real = this.#counting(real);
    this.#story = createStory(() => clock.monotonic());
    this.#troubles = createTroubles(clock, this.#story);
    this.#probes = createProbes(plan, clock, (check) => this.#checked(check));
    this.#operator = createOperator(
      plan,
      this.#real,
      clock,
      random.fork('operator'),
      this.#story,
      doubles,
    );
    const violate = (rule: string) => this.#violate(rule);
    this.#pushSide = createPushSide({
      plan,
      clock,
      database: this.#real,
      random,
      story: this.#story,
      operator: this.#operator,
      troubles: this.#troubles,
      looks: this.#looks,
      process: () => this.#process,
      lastTrouble: () => this.#lastTrouble(),
      violate,
    });
    this.#watcher = createWatcher({
      plan,
      clock,
      operator: this.#operator,
      checks: this.#probes.checks,
      pushWatcher: plan.pushes.length > 0 ? this.#pushSide.watcher : null,
      inspectionWatcher: () => this.#inspectionWatcher,
      story: this.#story,
      isClockSteady: this.#troubles.isClockSteady,
      violate,
    });
    this.#inspectionWatcher = createInspectionWatcher({
      plan,
      clock,
      operator: this.#operator,
      story: this.#story,
      referenceOf: this.#watcher.referenceOf,
      violate,
    });
  }

  async run(): Promise<Outcome> {
    const { wildMs, calmMs, disruptions, actions, deeds, monitors, pushes, pushActions } =
      this.#plan;
    const unhandled = (error: unknown) =>
      this.#violate(`a promise was rejected and nobody looked: ${String(error)}`);
    process.on('unhandledRejection', unhandled);
    try {
      this.#alertSide = await this.#createAlertSide();
      for (const settings of monitors) await this.#operator.create(settings);
      for (const push of pushes) await this.#pushSide.owner.create(push);
      this.#start();
      for (const disruption of disruptions)
        this.#clock.after(disruption.at, () => this.#disrupt(disruption));
      for (const at of actions) this.#clock.after(at, () => void this.#edit());
      for (const at of pushActions) this.#clock.after(at, () => void this.#editPush());
      for (const at of deeds) this.#clock.after(at, () => void this.#handle());
      while (this.#clock.monotonic() < wildMs + calmMs && this.#violations.length === 0) {
        await this.#clock.advance(
          Math.min(LOOK_EVERY_MS, wildMs + calmMs - this.#clock.monotonic()),
        );
        this.#pushSide.watcher.look();
      }
      if (this.#violations.length === 0) await this.#checkEnd();
    } finally {
      process.off('unhandledRejection', unhandled);
      this.#process?.life.kill();
      await this.#real.close();
    }
    return this.#outcome();
  }

  #violate(rule: string): void {
    this.#violations.push(rule);
    this.#story.tell(`VIOLATED: ${rule}`);
  }

  #start(): void {
    this.#lives += 1;
    const life = createLife(`life ${this.#lives}`);
    this.#story.tell(`${life.name} begins`);
    const database = this.#databaseOf(life);
    this.#process = startProcess({
      life,
      clock: this.#clock,
      bus: this.#oneAtATime(life),
      database: mortalDatabase(database),
      inspectorsDatabase: this.#plan.isInspected
        ? mortalDatabase({ ...database, isRecorded: true })
        : null,
      telling: this.#tellingOf(life),
      log: this.#log(),
      doubles: this.#doubles,
      hasPushes: this.#plan.pushes.length > 0,
      submitted: (round) => this.#submitted(life, round),
    });
  }

  #databaseOf(life: Life): MortalDatabaseOptions {
    return {
      real: this.#real,
      life,
      faults: this.#troubles.faults(this.#random.fork(`faults ${this.#lives}`)),
      writes: () => this.#writes,
      now: () => this.#clock.now(),
      observe: (tx, statements) => this.#watcher.observe(tx, statements),
      committed: (snapshot) => this.#watcher.committed(snapshot as ObservedAll, life),
    };
  }

  async #createAlertSide(): Promise<AlertSide | null> {
    if (this.#plan.alerts === null) return null;
    return createAlertSide({
      plan: this.#plan.alerts,
      database: this.#real,
      clock: this.#clock,
      random: this.#random.fork('alerts'),
      strike: (strike) => this.#strike(strike),
    });
  }

  /** Those who tell others never touch what the rules about monitors speak of. */
  #tellingOf(life: Life) {
    if (this.#alertSide === null) return null;
    return {
      database: mortalDatabase({
        ...this.#databaseOf(life),
        observe: async () => ({}),
        committed: () => undefined,
      }),
      random: this.#random.fork(`telling ${this.#lives}`),
      receivers: this.#alertSide.receivers,
    };
  }

  #strike(strike: Strike): void {
    const left = this.#plan.wildMs - this.#clock.monotonic();
    if (left <= 0 || this.#stoppingSince !== null) return;
    this.#looks.strikes += 1;
    if (strike.kind === 'freeze') this.#troubles.begin(strike, left);
    else this.#killSoon(strike.touches, Math.min(strike.awayMs, left));
  }

  #counting(real: Database): Database {
    return {
      engine: real.engine,
      get read() {
        return real.read;
      },
      get scan() {
        return real.scan;
      },
      transaction: async (work) => {
        this.#expectRest();
        // Counted before and after, so that nothing that was read meanwhile is kept.
        this.#writes += 1;
        try {
          return await real.transaction(work);
        } finally {
          this.#writes += 1;
        }
      },
      now: (tx) => real.now(tx),
      close: () => real.close(),
    };
  }

  /** What never ends at one instant would never let time pass. */
  #expectRest(): void {
    const at = this.#clock.monotonic();
    this.#busy = { at, transactions: at === this.#busy.at ? this.#busy.transactions + 1 : 1 };
    if (this.#busy.transactions <= MOST_AT_ONCE) return;
    if (this.#process?.life.isAlive()) this.#violate('the process never comes to rest');
    this.#process?.life.kill();
  }

  #submitted(life: Life, round: Round): void {
    const first = round.results.map(
      ({ remoteAddress }) => this.#probes.checks[Number(remoteAddress)]?.at ?? Infinity,
    );
    this.#watcher.submitted.push({ life, at: Math.min(...first), round, isCounted: false });
  }

  /** One round in flight per monitor: a region that is looking is not asked again. */
  #oneAtATime(life: Life): Probes['bus'] {
    const { bus } = this.#probes;
    return {
      ...bus,
      ...this.#inspectionWatcher.busOf(bus, life),
      check: async (region, request) => {
        const key = `${life.name} ${request.monitorId} ${region}`;
        const looking = (this.#looking.get(key) ?? 0) + 1;
        if (looking > 1)
          this.#violate(`monitor ${request.monitorId}: ${region} is asked while it still looks`);
        this.#looking.set(key, looking);
        const result = await bus.check(region, request);
        this.#looking.set(key, looking - 1);
        return result;
      },
    };
  }

  /** What is paused or deleted is not checked, once the process had the time to read it. */
  #checked({ monitorId, host }: SeenCheck): void {
    const at = this.#clock.monotonic();
    const era = this.#operator.monitors.get(monitorId)?.eras.at(-1);
    if (!era || at - era.from < READ_EDITS_MS || this.#wasHindered(era.from, at)) return;
    if (era.isPaused || era.isDeleted)
      this.#violate(`monitor ${monitorId} is checked though it is paused or deleted`);
    const now = this.#plan.targets[era.settings.target]!.host;
    if (host !== now)
      this.#violate(`monitor ${monitorId}: ${host} is checked though it is ${now} since long`);
  }

  #wasHindered(from: number, to: number): boolean {
    const { isDatabaseHindered, wasDisturbed } = this.#troubles;
    return isDatabaseHindered() || this.#stoppingSince !== null || wasDisturbed(from, to);
  }

  #log() {
    const tell = (fields: object, message: string) => {
      const { error, ...rest } = fields as { error?: unknown };
      const reason = error === undefined ? '' : ` (${String(error)})`;
      this.#story.tell(`log: ${message}${reason} ${JSON.stringify(rest)}`);
    };
    const complain = (fields: { error?: unknown }, message: string) => {
      tell(fields, message);
      // The database is away now and then, also while the process stops; whatever else is an error is one of ours.
      const isExpected =
        fields.error instanceof DatabaseUnavailable || fields.error instanceof Closed;
      if (!isExpected) this.#violate(`an error was logged: ${message}`);
    };
    return { debug: () => undefined, info: () => undefined, warn: tell, error: complain };
  }

  async #edit(): Promise<void> {
    if (this.#troubles.isDatabaseAway()) return;
    const shard = await this.#operator.act();
    if (shard !== null && this.#random.chance(0.6)) this.#process?.scheduler.nudge(shard);
  }

  async #editPush(): Promise<void> {
    if (!this.#troubles.isDatabaseAway()) await this.#pushSide.owner.act();
  }

  /** When the last thing that hindered us was over; null while one goes on. */
  #lastTrouble(): number | null {
    const isAway = this.#stoppingSince !== null || !this.#process?.life.isAlive();
    if (isAway || this.#troubles.isDatabaseHindered()) return null;
    return Math.max(0, ...this.#troubles.disturbances.map(({ to }) => to));
  }

  async #handle(): Promise<void> {
    if (!this.#troubles.isDatabaseAway()) await this.#operator.handle();
  }

  #disrupt(disruption: Disruption): void {
    const left = Math.max(100, this.#plan.wildMs - this.#clock.monotonic());
    if (!('awayMs' in disruption)) {
      this.#troubles.begin(disruption, left);
      if (disruption.kind === 'step') this.#pushSide.jobs.stepped();
      return;
    }
    const awayMs = Math.min(disruption.awayMs, left);
    if (disruption.kind === 'kill') this.#killSoon(disruption.touches, awayMs);
    else void this.#stop(awayMs);
  }

  #killSoon(touches: number, awayMs: number): void {
    const current = this.#process;
    if (!current?.life.isAlive()) return;
    current.life.dieAfter(touches, () => {
      this.#story.tell(`${current.life.name} is killed`);
      this.#pushSide.jobs.died(current.life);
      this.#startAfter(awayMs);
    });
  }

  async #stop(awayMs: number): Promise<void> {
    const current = this.#process;
    if (!current?.life.isAlive()) return;
    this.#story.tell(`${current.life.name} is asked to stop`);
    this.#stoppingSince ??= this.#clock.monotonic();
    await current.stop();
    if (!current.life.isAlive()) return;
    this.#story.tell(`${current.life.name} has stopped`);
    current.life.dieAfter(Infinity, () => undefined);
    current.life.kill();
    this.#pushSide.jobs.died(current.life);
    this.#startAfter(awayMs);
  }

  #startAfter(awayMs: number): void {
    const from = (this.#stoppingSince ??= this.#clock.monotonic());
    this.#clock.after(Math.max(1, awayMs), () => {
      const to = this.#clock.monotonic();
      this.#troubles.disturbances.push({ kind: 'away', from, to });
      this.#stoppingSince = null;
      this.#start();
    });
  }

  async #checkEnd(): Promise<void> {
    const common = {
      database: this.#real,
      disturbances: this.#troubles.disturbances,
      isClockSteady: this.#troubles.isClockSteady(),
      wallAt: this.#troubles.wallAt,
      until: this.#clock.monotonic(),
      random: this.#random.fork('end'),
      looks: this.#looks,
      violate: (rule: string) => this.#violate(rule),
    };
    await checkAtTheEnd({
      ...common,
      plan: this.#plan,
      operator: this.#operator,
      watched: this.#watcher.watched,
      checks: this.#probes.checks,
    });
    if (this.#plan.isInspected)
      await checkInspectionsAtTheEnd({
        ...common,
        plan: this.#plan,
        operator: this.#operator,
        watched: this.#watcher.watched,
      });
    await checkPushesAtTheEnd({
      ...common,
      watcher: this.#pushSide.watcher,
      attempts: this.#pushSide.jobs.attempts,
    });
    if (this.#alertSide !== null) await this.#checkAlerts(this.#alertSide);
  }

  /** Nothing else happens any more until everybody knows what there is to know. */
  async #checkAlerts(side: AlertSide): Promise<void> {
    const options = () => ({
      database: this.#real,
      side,
      now: this.#clock.now(),
      isClockSteady: this.#troubles.isClockSteady(),
      isUndisturbed: this.#troubles.disturbances.length === 0,
      looks: this.#looks,
      violate: (rule: string) => this.#violate(rule),
    });
    await checkNothingIsLate(options());
    if (this.#violations.length > 0) return;
    this.#process?.life.kill();
    this.#lives += 1;
    const life = createLife('the last life');
    const clock = mortalClock(this.#clock, life);
    const telling = this.#tellingOf(life)!;
    createTellers({ life, clock, log: this.#log(), doubles: this.#doubles, ...telling }).start();
    await settle(this.#real, this.#clock);
    life.kill();
    await checkAlertsAtTheEnd(options());
  }

  readonly #looks: Looks & PushLooks & AlertLooks = {
    ...noPushLooks(),
    ...noAlertLooks(),
    down: 0,
    regional: 0,
    up: 0,
    slow: 0,
    pace: 0,
    prompt: 0,
    paused: 0,
    away: 0,
    partition: 0,
    good: 0,
    anew: 0,
    wrongContent: 0,
    rightContent: 0,
    halved: 0,
    whole: 0,
    inspectedBad: 0,
    inspectedGood: 0,
    inspectedInnocent: 0,
    inspectedInTime: 0,
  };

  #outcome(): Outcome {
    const monitors = [...this.#watcher.watched.values()];
    const sum = (of: (monitor: (typeof monitors)[number]) => number) =>
      monitors.reduce((total, monitor) => total + of(monitor), 0);
    return {
      seed: this.#plan.seed,
      violations: this.#violations,
      story: this.#story.lines(),
      looks: this.#looks,
      counts: {
        rounds: sum(({ counted }) => counted.length),
        pings: this.#looks.recorded,
        incidents: sum(({ reference }) => reference.incidents.length),
        lives: this.#lives,
        edits: [...this.#operator.monitors.values()].reduce(
          (total, { eras }) => total + eras.length - 1,
          0,
        ),
        virtualMs: this.#clock.monotonic(),
      },
    };
  }
}
