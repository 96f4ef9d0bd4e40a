import { expect, test } from 'vitest';
import { eachDatabase } from '../support/databases.ts';
import { STEPS, type Crash, type Step, createCrashingProcess } from './crashing-process.ts';
import { PAGE_STORIES, openPageWorld, type PageStory } from './page-stories.ts';
import type { Clock, Timer } from '../../src/lib/clock.ts';
import { LIMITS } from '../../src/alerting/delivery/slots.ts';
import { createReportLinks } from '../../src/report/links.ts';
import { createReportRuns } from '../../src/report/runs.ts';
import { silentLog } from '../../src/lib/log.ts';
import type { Sent } from '../../src/net/mail.ts';
import { createPublisher } from '../../src/status-page/publisher/publisher.ts';
import { createMailings } from '../../src/status-page/subscribers/mailings.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { secretBox } from '../support/deliveries.ts';
import { answer, MINUTE, START, workerOn } from '../support/delivery-worker.ts';
import { turnOfTheEventLoop, waitUntil } from '../support/event-loop.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { KEYS, mailQueue, subscriberLinks } from '../support/subscribers.ts';

interface PageStoryRun {
  /** Steps of the first process; if it crashed, it did so at the last one. */
  steps: readonly Step[];
  hasCrashed: boolean;
  /** What is not as the story says. */
  violations: string[];
}

const baseUrl = () => 'https://up.example.com';

/** The stages poll each second or two. */
const STEP_MS = 2_000;

/** Leases and retries of a crashed process are over by then. */
const SETTLED_MS = 10 * MINUTE;

/** Runs a story with a process that may crash, and with a second one after that. */
async function runPageStory(
  database: Database,
  story: PageStory,
  crash?: Crash,
): Promise<PageStoryRun> {
  const clock = createFakeClock({ now: START });
  const world = await openPageWorld(database, story, clock.now);
  const arrived: { id: string; text: string }[] = [];
  const errors: unknown[] = [];
  const first = createCrashingProcess(crash);
  let process = first;
  let stages = start();

  function start() {
    const own = process.clock(clock);
    /** Of this process: those of a crashed one stay until their time. */
    const timers = new Set<Timer>();
    const after: Clock['after'] = (milliseconds, call) => {
      const timer = own.after(milliseconds, () => {
        timers.delete(timer);
        call();
      });
      timers.add(timer);
      return timer;
    };
    const counted: Clock = {
      ...own,
      after,
      clear(timer) {
        if (timer != null) timers.delete(timer);
        own.clear(timer);
      },
    };
    const used = process.database(database, own);
    const log = { ...silentLog, error: (fields: object) => void errors.push(fields) };
    const worker = workerOn(used, {
      http: { request: async () => answer(200) },
      mailer: {
        send: ({ id, to, subject }) =>
          process.send(async (): Promise<Sent> => {
            arrived.push({ id, text: `${to}: ${subject}` });
            return { outcome: 'sent' };
          }),
      },
      clock: counted,
      log,
    });
    const shared = {
      database: used,
      clock: counted,
      log,
      mailQueue,
      onDeliveries: () => worker.wake(),
    };
    const links = createReportLinks({ keys: KEYS, baseUrl });
    const printer = { run: async () => Buffer.from('%PDF-1.7'), stop() {} };
    const all = [
      createPublisher(shared),
      createMailings({ ...shared, secretBox, links: subscriberLinks, baseUrl }),
      createReportRuns({ ...shared, printer, links, openSignup: false }),
      worker,
    ];
    for (const stage of all) stage.start();
    return {
      /** Each waits for its next run. */
      isIdle: () => worker.underWay() === 0 && timers.size >= all.length,
      stop: () => Promise.all(all.map((stage) => stage.stop())),
    };
  }

  /** Waits in real time for the database; the virtual clock must not advance meanwhile. */
  async function rest(): Promise<void> {
    for (;;) {
      await turnOfTheEventLoop();
      const isIdle = () => process.openTransactions() === 0 && stages.isIdle();
      await waitUntil(() => process.hasCrashed() || clock.pending().soons > 0 || isIdle());
      if (clock.pending().soons === 0) return;
      await clock.settle();
    }
  }

  async function pass(until: number, isOver: () => Promise<boolean>): Promise<void> {
    while (clock.now() < until && !(await isOver())) {
      await rest();
      if (process.hasCrashed()) {
        process = createCrashingProcess();
        stages = start();
        await rest();
      }
      clock.freeze(STEP_MS - 1);
      await clock.advance(1);
    }
    await rest();
  }

  for (const [minute, happen] of story.events) {
    await pass(START + minute * MINUTE, async () => false);
    await happen(world);
  }
  await pass(clock.now() + MINUTE, async () => false);
  await pass(clock.now() + SETTLED_MS, async () => (await unfinished(database)).length === 0);
  if (!process.hasCrashed()) await stages.stop();
  const violations = [
    ...errors.map((error) => `logged: ${JSON.stringify(error)}`),
    ...mailViolations(arrived, story.mails, first.hasCrashed()),
    ...differences('rows', await story.rows(database), story.expectedRows),
    ...(await unfinished(database)),
  ];
  return { steps: first.steps, hasCrashed: first.hasCrashed(), violations };
}

/** Mails that a process sends at a time. All of them are sent again when it crashes before it has recorded that. */
const AT_ONCE = Math.max(LIMITS.mails, LIMITS.subscriberMails);

/** Each mail arrived, and few of them again, with the same id: mail programs can tell. */
function mailViolations(
  arrived: readonly { id: string; text: string }[],
  expected: readonly string[],
  hasCrashed: boolean,
): string[] {
  const distinct = new Map(arrived.map(({ id, text }) => [id, text]));
  const repeats = arrived.length - distinct.size;
  return [
    ...differences('mails', [...distinct.values()].toSorted(), expected.toSorted()),
    ...(repeats <= (hasCrashed ? AT_ONCE : 0) ? [] : [`${repeats} mails arrived again`]),
  ];
}

function differences(name: string, found: readonly string[], expected: readonly string[]) {
  return found.join() === expected.join() ? [] : [`${name}: ${found.join('; ')}`];
}

/** No work is due, leased or open any more. */
async function unfinished({ read }: Database): Promise<string[]> {
  const due = [];
  for (const table of ['mailing', 'destination', 'report_run'] as const) {
    const rows = await read
      .selectFrom(table)
      .select('id')
      .where('next_at', 'is not', null)
      .execute();
    if (rows.length > 0) due.push(`${rows.length} of ${table} are due`);
  }
  return due;
}

/** Timeout of one test, on a busy machine. */
const TEST_TIMEOUT_MS = 600_000;

/** One crash at a step of each kind, in the middle of the story. */
const middleOfEach = (kinds: readonly Step[], steps: readonly Step[]): Crash[] =>
  kinds.map((step) => {
    const { length } = steps.filter((one) => one === step);
    return { step, nth: Math.floor(length / 2) };
  });

eachDatabase((engine, open) => {
  const kinds: readonly Step[] = engine === 'sqlite' ? STEPS : ['before commit', 'after sending'];

  // Batches of subscribers are the same on both engines.
  const names = (Object.keys(PAGE_STORIES) as (keyof typeof PAGE_STORIES)[]).filter(
    (name) => engine === 'sqlite' || PAGE_STORIES[name].subscribers.length < 100,
  );

  test.each(names)(
    'nothing is lost or sent anew wherever the process crashes in %s [43.34, 44.13, 45.23]',
    async (name) => {
      const story = PAGE_STORIES[name];
      const runOnce = async (crash?: Crash) => {
        const database = await open();
        const run = await runPageStory(database, story, crash);
        await database.close();
        return run;
      };
      const undisturbed = await runOnce();
      expect(undisturbed.violations, 'without a crash').toEqual([]);
      for (const crash of middleOfEach(kinds, undisturbed.steps)) {
        const { violations } = await runOnce(crash);
        expect(violations, `${crash.step} ${crash.nth}`).toEqual([]);
      }
    },
    TEST_TIMEOUT_MS,
  );
});
