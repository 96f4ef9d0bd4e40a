import { expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { createJobs, pingOf, settling, startIngest } from '../../../test/support/jobs.ts';
import { createMonitor } from '../../../test/support/monitor-rows.ts';
import { roundOf } from '../../../test/support/rounds.ts';
import { sslFacts } from '../../../test/support/target-facts.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { silentLog } from '../../lib/log.ts';
import { inspectionAssignments } from '../../store/engine/inspection-assignments.ts';
import { inspectionRuns } from '../../store/engine/inspections.ts';
import { createSweep } from '../heartbeat/sweep.ts';
import { recordInspection } from '../inspect/record.ts';
import { createRoundRecorder } from '../index.ts';
import { updateRows } from '../../../test/support/rows.ts';
import type { KyselyPlugin } from 'kysely';
import type { Database } from '../../store/database/contract.ts';

/** The same database; `during` returns the number of statements of each transaction, such as `12` or `3 + 1`. */
function countStatements(real: Database) {
  let transactions: number[] = [];
  const database: Database = {
    ...real,
    get read() {
      return real.read;
    },
    transaction: (work) =>
      real.transaction(async (tx) => {
        let statements = 0;
        const counting: KyselyPlugin = {
          transformQuery: ({ node }) => node,
          transformResult: async ({ result }) => {
            statements += 1;
            return result;
          },
        };
        try {
          return await work(tx.withPlugin(counting));
        } finally {
          transactions.push(statements);
        }
      }),
  };
  return {
    database,
    async during(work: () => Promise<unknown>): Promise<string> {
      transactions = [];
      await work();
      return transactions.join(' + ');
    },
  };
}

const NOW = Date.UTC(2030, 0, 1);

const MINUTE = 60_000;

async function open() {
  const counted = countStatements(await openInMemory());
  return { ...counted, clock: createFakeClock({ now: NOW }) };
}

/** Calls `work` with one monitor and with ten: a flush of many takes as many statements as a flush of one. */
async function sameForMany(work: (count: number) => Promise<Record<string, string>>) {
  return [await work(1), await work(10)] as const;
}

test('a flush of rounds', async () => {
  const [one, many] = await sameForMany(async (count) => {
    const { database, during, clock } = await open();
    const recorder = createRoundRecorder({ database, clock, log: silentLog, gatherMs: 0 });
    const ids: number[] = [];
    while (ids.length < count) ids.push(await createMonitor(database, NOW));
    const rows = await database.read.selectFrom('monitor').select(['id', 'revision']).execute();
    let startedAt = NOW;
    const flush = (votes: string) =>
      during(async () => {
        startedAt += 30_000;
        const rounds = rows.map(({ id: monitorId, revision }) =>
          roundOf(votes, { monitorId, revision, startedAt, slot: startedAt }),
        );
        const recorded = Promise.all(rounds.map((round) => recorder.submit(round)));
        const outcomes = await settling(clock, recorded);
        expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['counted']));
      });
    await flush('uuuu');
    // Regions are numbered when their first result is stored.
    await flush('uuuu');
    const statements = {
      up: await flush('uuuu'),
      'the first bad one': await flush('dddd'),
      'an outage begins': await flush('dddd'),
      'an outage ends': await flush('uuuu'),
    };
    await database.close();
    return statements;
  });
  expect(many).toEqual(one);
  expect(one).toMatchInlineSnapshot(`
    {
      "an outage begins": "12",
      "an outage ends": "10",
      "the first bad one": "4",
      "up": "3",
    }
  `);
});

test('a flush of pings', async () => {
  const [one, many] = await sameForMany(async (count) => {
    const { database, during, clock } = await open();
    const jobs = await createJobs(database, NOW, count);
    const ingest = startIngest(database, clock);
    const flush = (kind: 'success' | 'failure') =>
      during(async () => {
        const sent = await ingest.send(...jobs.map(({ token }) => pingOf(token, { kind })));
        expect(new Set(sent)).toEqual(new Set(['recorded']));
        await clock.advance(MINUTE);
      });
    const statements = {
      'the first of a job': await flush('success'),
      success: await flush('success'),
      'a failure': await flush('failure'),
      'a further failure': await flush('failure'),
      'a success after it': await flush('success'),
    };
    await database.close();
    return statements;
  });
  expect(many).toEqual(one);
  expect(one).toMatchInlineSnapshot(`
    {
      "a failure": "11",
      "a further failure": "7",
      "a success after it": "11",
      "success": "3",
      "the first of a job": "7",
    }
  `);
});

test('a sweep', async () => {
  const [one, many] = await sameForMany(async (count) => {
    const { database, during, clock } = await open();
    await createJobs(database, NOW, count, { interval: 60, grace: 60 });
    const sweep = createSweep({
      database,
      clock,
      log: silentLog,
      isCertain: () => true,
      oldestWaitingAt: () => null,
    });
    sweep.start();
    const statements = {
      'jobs that are expected later': await during(() => clock.advance(MINUTE)),
      'jobs that did not call': await during(() => clock.advance(2 * MINUTE)),
    };
    expect(sweep.counters.failures).toBe(0);
    await sweep.stop();
    await database.close();
    return statements;
  });
  expect(many).toEqual(one);
  expect(one).toMatchInlineSnapshot(`
    {
      "jobs that are expected later": "5",
      "jobs that did not call": "10",
    }
  `);
});

test('an inspection', async () => {
  const [one, many] = await sameForMany(async (count) => {
    const { database, during, clock } = await open();
    const target = 'www.example.com:443';
    while (count-- > 0) {
      const id = await createMonitor(database, NOW, { url: 'https://www.example.com' });
      await database.transaction((tx) =>
        inspectionAssignments(tx).assign(id, [['ssl', target]], NOW),
      );
    }
    await updateRows(database, 'monitor_state', { status: 'online' });
    const fault = { code: 'tls_untrusted', text: 'Not trusted' } as const;
    const inspect = async (facts: ReturnType<typeof sslFacts>) => {
      await clock.advance(2 * 60 * MINUTE);
      const now = clock.now();
      const [claimed] = await database.transaction((tx) =>
        inspectionRuns(tx).claim('ssl', now, 1, now + MINUTE),
      );
      const seen = { result: { state: 'known', facts }, at: now, isNew: true } as const;
      return during(() => recordInspection(database, claimed!, seen, now));
    };
    const statements = {
      'the first': await inspect(sslFacts()),
      good: await inspect(sslFacts()),
      'another certificate': await inspect(sslFacts(undefined, 'bb')),
      'the first bad one': await inspect({ ...sslFacts(undefined, 'bb'), fault }),
      'a condition begins': await inspect({ ...sslFacts(undefined, 'bb'), fault }),
      'it ends': await inspect(sslFacts(undefined, 'bb')),
    };
    await database.close();
    return statements;
  });
  expect(many).toEqual(one);
  expect(one).toMatchInlineSnapshot(`
    {
      "a condition begins": "13",
      "another certificate": "9",
      "good": "5",
      "it ends": "13",
      "the first": "7",
      "the first bad one": "6",
    }
  `);
});
