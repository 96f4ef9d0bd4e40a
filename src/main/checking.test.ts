import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { eachDatabase } from '../../test/support/databases.ts';
import { waitUntil } from '../../test/support/event-loop.ts';
import { parseExposition } from '../../test/support/exposition.ts';
import { createMonitor } from '../../test/support/monitor-rows.ts';
import { readConfig, type Config } from '../config/config.ts';
import { silentLog } from '../lib/log.ts';
import { createSecretBox } from '../lib/secret-box.ts';
import { readRounds } from '../store/engine/result-history.ts';
import { createChecking } from './checking.ts';
import { NETWORK } from './outside.ts';
import { openProbes } from './probes.ts';

const KEY = 'a key for this test alone';
const REGIONS = ['ash', 'nbg', 'pdx', 'sin'];
const WELL = [200, 201, 202, 203];

/** Status codes of the answers to each round, all different: a result that is lost, doubled or of another round shows. */
const ROUNDS: { answers: number[]; class: string }[] = [
  { answers: WELL, class: 'up' },
  { answers: [500, 201, 202, 203], class: 'regional' },
  { answers: [500, 501, 502, 203], class: 'down' },
  { answers: [500, 501, 502, 503], class: 'down' },
  { answers: WELL, class: 'up' },
];

/** A target that answers the requests of each round, in the order in which they come, and then is up. */
async function startTarget() {
  let requests = 0;
  const server = createServer((_request, response) => {
    const round = Math.floor(requests / REGIONS.length);
    const answers = ROUNDS[round]?.answers ?? WELL;
    response.writeHead(answers[requests++ % REGIONS.length]!).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, requests: () => requests };
}

function settings(): Config {
  const { config, errors } = readConfig({
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    PROBE_WORKERS: '1',
    REGIONS: REGIONS.join(','),
  });
  if (errors) throw new Error(errors.join('\n'));
  return config;
}

eachDatabase((_engine, open) => {
  test('each region has exactly one vote in a round that a probe process ran', async () => {
    const target = await startTarget();
    const config = settings();
    const probes = await openProbes(config, [KEY], silentLog, NETWORK);
    onTestFinished(() => probes.close());
    const database = await open();
    const registry = new Registry();
    const secretBox = createSecretBox([KEY]);
    const parts = { settings: config, database, probes, secretBox, registry, log: silentLog };
    const { scheduler, recorder, votes } = await createChecking(parts);
    const id = await createMonitor(database, Date.now(), {
      url: target.url,
      host: '127.0.0.1',
      monitored_regions: JSON.stringify(REGIONS),
      failure_threshold: 1,
    });

    scheduler.start();
    onTestFinished(() => scheduler.stop());
    await waitUntil(() => scheduler.monitors === 1);
    for (let counted = 0; counted < ROUNDS.length; counted = recorder.counters.rounds_counted) {
      scheduler.runSoon([id]);
      await waitUntil(() => recorder.counters.rounds_counted > counted);
    }
    await scheduler.stop(10_000);
    await recorder.close();

    const rounds = await readRounds(database, [id], { from: 0, to: Date.now() + 60_000 });
    expect(rounds).toHaveLength(recorder.counters.rounds_counted);
    expect(target.requests()).toBe(rounds.length * REGIONS.length);
    const expected = { up: 0, down: 0, unknown: 0 };
    for (const [index, round] of rounds.entries()) {
      const { answers, class: verdict } = ROUNDS[index] ?? ROUNDS[0]!;
      expect([round.kind, round.class]).toEqual(['voted', verdict]);
      expect(round.results.map(({ region }) => region)).toEqual(REGIONS);
      expect(round.results.map(({ statusCode }) => statusCode).toSorted()).toEqual(
        answers.toSorted(),
      );
      for (const { vote, statusCode } of round.results) {
        expect(vote).toBe(statusCode! < 500 ? 'up' : 'down');
        expected[vote] += 1;
      }
    }
    expect(votes).toEqual(expected);
    const metrics = parseExposition(await registry.metrics()).get('tocsin_checks_total')!;
    expect(
      Object.fromEntries(metrics.samples.map(({ labels, value }) => [labels['vote'], value])),
    ).toEqual(expected);
  });
});
