import { once } from 'node:events';
import { setDefaultCACertificates } from 'node:tls';
import { Worker } from 'node:worker_threads';
import { sleep, systemClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import type { CheckResult } from '../../src/model/check.ts';
import { createAddressGuard, parseAllowPrivateTargets } from '../../src/net/address-guard.ts';
import { createResolver } from '../../src/net/resolver.ts';
import { createAgent } from '../../src/probe/agent/agent.ts';
import type { Agent } from '../../src/probe/agent/agent.ts';
import { createContentEvaluator } from '../../src/probe/content/evaluator.ts';
import { createIcmpClient } from '../../src/probe/icmp/icmp-client.ts';
import { createRegistry } from '../../src/probe/agent/registry.ts';
import { noInspectors } from '../support/inspectors.ts';
import { httpCheck } from '../support/probing.ts';
import { GUARDS, requestTo } from './row.ts';
import type { Row } from './row.ts';
import { ROWS } from './rows.ts';
import { newStallMemory, stallsSeen, untilCounted } from './stalls.ts';
import type { Listening } from './target-thread.ts';
import { AUTHORITIES } from './tls-targets.ts';

/** The whole matrix, ready to run: agents in this thread, targets in another. */
export interface Faults {
  /** Runs all rows, many at once; returns each result, by name, with the target's port. */
  runAll(): Promise<Map<string, Outcome>>;
  /** Results of the steady target's checks so far, which run beside the rows. */
  steady: CheckResult[];
  /** Errors of their own that the agents logged. */
  errors: unknown[];
  load(): { running: number; waiting: number }[];
  /** Resolves when the targets have seen all clients disconnect. */
  allClosed(): Promise<void>;
  close(): Promise<void>;
}

export interface Outcome {
  result: CheckResult;
  port: number;
}

/** More would stall this process and make its results unreliable. */
const AT_ONCE = 32;
/** As many large pages as a probe reads at once: one that waited has no times. */
const CONTENT_AT_ONCE = 4;
/** A check right after another would take half of this process's time. */
const STEADY_EVERY_MS = 20;
/** Number of times a row may run while the probe, or its target, was stalled: the machine has other work, too. */
const ATTEMPTS = 12;

export async function startFaults(): Promise<Faults> {
  setDefaultCACertificates(AUTHORITIES);
  const stalls = newStallMemory();
  const thread = new Worker(new URL('target-thread.ts', import.meta.url), { workerData: stalls });
  const [{ ports, nameServer, steadyPort }] = (await once(thread, 'message')) as [Listening];
  const errors: unknown[] = [];
  const log = { ...silentLog, error: (...said: unknown[]) => void errors.push(said) };
  const icmp = createIcmpClient({ clock: systemClock, log });
  const evaluator = createContentEvaluator({ clock: systemClock, log });
  const shared = {
    registry: createRegistry({ icmp, evaluator }),
    inspectors: noInspectors,
    resolver: createResolver({
      clock: systemClock,
      servers: [nameServer],
      hostsFile: '/dev/null',
      hasNetwork: () => true,
    }),
    clock: systemClock,
    log,
    maxConcurrent: 2 * AT_ONCE,
  };
  const agents = new Map(
    Object.entries(GUARDS).map(([name, setting]) => {
      const targets = parseAllowPrivateTargets(setting);
      if (!targets.ok) throw new Error(targets.message);
      return [name, createAgent({ ...shared, guard: createAddressGuard(targets.value) })];
    }),
  );
  const agentOf = (guard: Row['guard']): Agent => agents.get(guard) as Agent;
  const steady: CheckResult[] = [];
  const ask = async (word: 'all closed?' | 'end'): Promise<void> => {
    const answer = once(thread, 'message');
    thread.postMessage(word);
    await answer;
  };

  async function run(row: Row): Promise<Outcome> {
    const port = ports.get(row.name) ?? 0;
    const agent = agentOf(row.guard);
    const asksNameServer = row.names !== undefined;
    for (let attempt = 1; ; attempt++) {
      const stallsBefore = stallsSeen(stalls, asksNameServer);
      const result = await agent.run(requestTo(row.request, port));
      if (asksNameServer) await untilCounted(stalls);
      const stoodStill =
        didNotMeasure(result) || stallsSeen(stalls, asksNameServer) !== stallsBefore;
      if (!stoodStill || attempt === ATTEMPTS) return { result, port };
    }
  }

  async function watchSteadyTarget(until: Promise<unknown>): Promise<void> {
    const over = new AbortController();
    void until.finally(() => over.abort());
    const request = httpCheck(`http://127.0.0.1:${steadyPort}/`);
    while (!over.signal.aborted) {
      steady.push(await agentOf('open').run(request));
      await sleep(systemClock, STEADY_EVERY_MS);
    }
  }

  return {
    steady,
    errors,
    async runAll() {
      const outcomes = new Map<string, Outcome>();
      const takeTurns = async (waiting: Row[]): Promise<void> => {
        for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
          outcomes.set(row.name, await run(row));
        }
      };
      const lanes = (count: number, rows: Row[]): Promise<void>[] =>
        Array.from({ length: count }, () => takeTurns(rows));
      const all = Promise.all([
        ...lanes(
          AT_ONCE,
          ROWS.filter((row) => !hasContent(row)),
        ),
        ...lanes(CONTENT_AT_ONCE, ROWS.filter(hasContent)),
      ]);
      await Promise.all([all, watchSteadyTarget(all)]);
      return outcomes;
    },
    load: () => [...agents.values()].map((agent) => agent.load()),
    allClosed: () => ask('all closed?'),
    async close() {
      for (const agent of agents.values()) agent.close();
      evaluator.close();
      await icmp.close();
      await ask('end');
      await thread.terminate();
    },
  };
}

function hasContent({ request }: Row): boolean {
  return request.type === 'http' && request.content !== undefined;
}

/** The agent doesn't trust failures and times measured while its own process was stalled. */
function didNotMeasure({ vote, failure, responseTimeMs }: CheckResult): boolean {
  return failure?.code === 'probe_lagged' || (vote === 'up' && responseTimeMs === null);
}
