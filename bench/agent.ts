import { silentLog } from '../src/lib/log.ts';
import { systemClock as clock } from '../src/lib/clock.ts';
import type { AnyRequest } from '../src/monitor-types/registry.ts';
import { createAddressGuard } from '../src/net/address-guard.ts';
import { createResolver } from '../src/net/resolver.ts';
import { shareLookups } from '../src/net/shared-lookups.ts';
import { createAgent } from '../src/probe/agent/agent.ts';
import { createContentEvaluator } from '../src/probe/content/evaluator.ts';
import { createIcmpClient } from '../src/probe/icmp/icmp-client.ts';
import { createInspectors, createRegistry } from '../src/probe/agent/registry.ts';
import { inChild } from './child.ts';
import { inParallel } from './peers.ts';
import { PLAIN_GET } from './plain-get.ts';

/** Checks that run at the same time, of ours and of peers. */
export const CONCURRENCY = 64;
/** Regions that check at once in a round. */
export const REGIONS_OF_ROUND = 4;

const HTTP = { ...PLAIN_GET, monitorId: 1, timeoutMs: 5_000 } as const;

/**
 * Complete checks with a new connection each, in a process of their own: through the agent that enforces deadlines, with
 * phases and a full result. As many checks go before to warm it up.
 *
 * @returns checks per CPU second, user and system.
 * @throws if a check does not succeed.
 */
export function measureAgent(work: AgentWork, authority: string): Promise<number> {
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: authority };
  return inChild<number>(import.meta.url, ['measure', JSON.stringify(work)], { env }).first;
}

/** Checks to run. */
export type AgentWork = { count: number } & (
  | { kind: 'url'; url: string }
  | { kind: 'ports'; ports: number[] }
  /** A new name for each round, so that only its regions share a lookup. */
  | { kind: 'names'; port: number; nameServer: string }
);

function requestOf(work: AgentWork, index: number): AnyRequest {
  if (work.kind === 'url') return { ...HTTP, url: work.url };
  if (work.kind === 'names') {
    const name = `round-${Math.floor(index / REGIONS_OF_ROUND)}.example`;
    return { ...HTTP, url: `http://${name}:${work.port}/` };
  }
  const port = work.ports[index % work.ports.length]!;
  return { type: 'port', monitorId: 1, timeoutMs: 5_000, host: '127.0.0.1', port };
}

async function measure(work: AgentWork): Promise<void> {
  const servers = work.kind === 'names' ? { servers: [work.nameServer] } : {};
  const icmp = createIcmpClient({ clock, log: silentLog });
  const evaluator = createContentEvaluator({ clock, log: silentLog });
  const agent = createAgent({
    registry: createRegistry({ icmp, evaluator }),
    inspectors: createInspectors({ clock, log: silentLog, rdapBootstrapFile: null }),
    resolver: shareLookups(createResolver({ clock, ...servers }), clock),
    guard: createAddressGuard(true),
    clock,
    log: silentLog,
    maxConcurrent: 1_000,
  });
  let index = 0;
  const one = async () => {
    const result = await agent.run(requestOf(work, index++));
    if (result.vote !== 'up') throw new Error(`A check failed: ${result.failure?.text}`);
  };
  await inParallel(work.count, CONCURRENCY, one);
  const before = process.cpuUsage();
  await inParallel(work.count, CONCURRENCY, one);
  const { user, system } = process.cpuUsage(before);
  process.send!(work.count / ((user + system) / 1e6));
  agent.close();
  await icmp.close();
  await evaluator.close();
  process.disconnect();
}

if (process.argv[2] === 'measure') await measure(JSON.parse(process.argv[3]!));
