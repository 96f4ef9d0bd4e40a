import { leasedOwnership } from '../../../src/engine/schedule/shards.ts';
import { LEASE_MS } from '../../../src/store/engine/shards.ts';
import { createLives } from '../lives.ts';
import type { Lives, LivesOptions, Member } from '../lives.ts';
import type { Process } from '../process.ts';
import { fixedRandom } from '../random.ts';
import { createProcessClock } from './clock.ts';
import type { ProcessClock, Sleep } from './clock.ts';
import { worldLeases } from './leases.ts';
import type { MemberTrouble, PairPlan, SleepTrouble } from './plan.ts';
import type { PairRules } from './rules.ts';

/** Two processes that run beside each other, seen as the one that others deal with. */
export interface Pair extends Lives {
  /** One of the pair's troubles happens now. */
  befall(trouble: MemberTrouble): void;
  /** Those that run and do not stand still. */
  running(): Process[];
  /** Since when at least one of them has run without a break (milliseconds since the world began); null while none does. */
  servingSince(): number | null;
}

export interface PairOptions extends Omit<LivesOptions, 'member'> {
  pair: PairPlan;
  rules: PairRules;
}

/** What the process that goes on takes over is looked at by then: a lease ends, and it is noticed at the next renewal. */
const TAKE_OVER_MS = LEASE_MS + 6_000;
/** One that begins, or goes on, gets its share by then: the other one gives it up at its next renewal. */
const SHARED_MS = 8_000;

interface Side {
  member: Member;
  clock: ProcessClock;
  lives: Lives;
  /** Since when it is away or stands still, in milliseconds since the world began; null while it runs. */
  troubledSince: number | null;
  /** Since when it runs. */
  runsSince: number;
  wakesAt: number;
}

export function createPair(options: PairOptions): Pair {
  const { pair, plan, clock, random, story, troubles, rules } = options;
  const { disturbances } = troubles;
  const choices = random.fork('which of the two processes');
  const leases = worldLeases(() => clock.now());
  const sides: Side[] = [];
  let draws = 0;

  /** Monitors are handed over in that time, and nobody looks at some of them. */
  function handOver(from: number, lastsMs: number): void {
    disturbances.push({ kind: 'handover', from, to: from + lastsMs });
  }

  function troubled(side: Side): void {
    side.troubledSince ??= clock.monotonic();
    handOver(clock.monotonic(), TAKE_OVER_MS);
  }

  function runsAgain(side: Side, kind: 'away' | 'frozen'): void {
    const now = clock.monotonic();
    const other = sides.find((one) => one !== side)!;
    const since = side.troubledSince ?? now;
    // What it began before it stood still comes in now.
    handOver(now, SHARED_MS);
    if (other.troubledSince !== null) {
      disturbances.push({ kind, from: Math.max(since, other.troubledSince), to: now });
      handOver(now, TAKE_OVER_MS);
    }
    side.troubledSince = null;
    side.runsSince = now;
  }

  function createSide(index: 0 | 1): Side {
    const own = createProcessClock(clock, pair.offsets[index]);
    const member: Member = {
      name: `process ${index + 1}`,
      clock: own,
      createOwnership: (dependencies) =>
        (options.doubles.createOwnership ?? leasedOwnership)({
          ...dependencies,
          store: {
            ...leases,
            async renewShards(tx, nodeId) {
              const renewed = await leases.renewShards(tx, nodeId);
              own.renewed();
              return renewed;
            },
          },
        }),
      checks: rules.checks,
      isGone: () => troubled(side),
      isBack() {
        // A process that starts on a sleeping machine runs once the machine wakes.
        if (own.asleep() === null) runsAgain(side, 'away');
      },
    };
    const lives = createLives({ ...options, random: random.fork(member.name), member });
    const side: Side = {
      member,
      clock: own,
      lives,
      troubledSince: null,
      runsSince: 0,
      wakesAt: 0,
    };
    return side;
  }

  sides.push(createSide(0), createSide(1));
  const [first, second] = sides as [Side, Side];

  function alive(): Process[] {
    return sides.flatMap(({ lives }) => {
      const process = lives.current();
      return process?.life.isAlive() ? [process] : [];
    });
  }

  function either(): Side {
    const living = sides.filter(({ lives }) => lives.current()?.life.isAlive());
    return choices.pick(living.length > 0 ? living : sides);
  }

  async function stop(side: Side, awayMs: number): Promise<void> {
    const asleep = side.clock.asleep();
    if (asleep) await asleep;
    await side.lives.stop(awayMs);
  }

  function fallAsleep(side: Side, trouble: SleepTrouble): void {
    const { name } = side.member;
    const forMs = Math.min(trouble.forMs, Math.max(100, plan.wildMs - clock.monotonic()));
    const sleep: Sleep = {
      forMs,
      isSuspended: trouble.kind === 'suspend',
      began() {
        story.tell(`${name} stands still (${trouble.kind}) for ${forMs} ms`);
        troubled(side);
      },
      ended() {
        story.tell(`${name} goes on`);
        if (side.lives.current()?.life.isAlive() && !side.lives.isAway()) runsAgain(side, 'frozen');
      },
    };
    if (trouble.isAtRenewal) side.clock.sleepAtRenewal(sleep);
    else side.clock.sleepAfter(trouble.touches, sleep);
  }

  return {
    begin() {
      first.lives.begin();
      second.troubledSince = 0;
      const begin = () => {
        runsAgain(second, 'away');
        second.lives.begin();
      };
      if (pair.secondBeginsAt === 0) begin();
      else clock.after(pair.secondBeginsAt, begin);
    },
    befall(trouble) {
      const side = sides[trouble.member]!;
      const left = Math.max(100, plan.wildMs - clock.monotonic());
      if (trouble.kind === 'step') {
        story.tell(`the clock of ${side.member.name} is ahead by ${trouble.offset} ms from now on`);
        side.clock.step(trouble.offset);
        handOver(clock.monotonic(), 5_000);
      } else if ('forMs' in trouble) {
        if (side.lives.current()?.life.isAlive() && !side.lives.isAway()) fallAsleep(side, trouble);
      } else if (trouble.kind === 'kill')
        side.lives.killSoon(trouble.touches, Math.min(trouble.awayMs, left));
      else void stop(side, Math.min(trouble.awayMs, left));
    },
    killSoon: (touches, awayMs) => either().lives.killSoon(touches, awayMs),
    stop: (awayMs) => stop(either(), awayMs),
    end() {
      for (const { lives } of sides) lives.end();
    },
    async tellTheRest() {
      second.lives.end();
      await first.lives.tellTheRest();
    },
    current() {
      const living = alive();
      const listening = living.filter((process) => process.isListening());
      const found = listening.length > 0 ? listening : living;
      draws += 1;
      const drawn = fixedRandom(plan.seed, 'one of two', draws);
      return found[Math.floor(drawn * found.length)] ?? first.lives.current();
    },
    isAway: () => sides.some((side) => side.troubledSince !== null),
    count: () => first.lives.count() + second.lives.count(),
    running: () => alive().filter(({ life }) => life.asleep() === null),
    servingSince() {
      const running = sides.filter(({ troubledSince }) => troubledSince === null);
      return running.length === 0 ? null : Math.min(...running.map(({ runsSince }) => runsSince));
    },
  };
}
