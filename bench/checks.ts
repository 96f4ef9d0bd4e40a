import { fork } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readFile } from 'node:fs/promises';
import { silentLog } from '../src/lib/log.ts';
import { systemClock as clock } from '../src/lib/clock.ts';
import type { CheckRequest } from '../src/model/check.ts';
import { createAddressGuard } from '../src/net/address-guard.ts';
import { createResolver } from '../src/net/resolver.ts';
import { shareLookups } from '../src/net/shared-lookups.ts';
import { createAgent } from '../src/probe/agent/agent.ts';
import { createContentEvaluator } from '../src/probe/content/evaluator.ts';
import { createIcmpClient } from '../src/probe/icmp/icmp-client.ts';
import { createInspectors, createRegistry } from '../src/probe/agent/registry.ts';
import { startBenchNameServer } from './name-server.ts';
import { inParallel, measureAb, startBlackbox } from './peers.ts';
import { PLAIN_GET } from './plain-get.ts';
import { report } from './report.ts';
import type { Figure } from './report.ts';
import { startTarget } from './target.ts';

const CONCURRENCY = 64;
/** With a single port, the system's search for free local ports would dominate. */
const PORTS = 64;
/** Regions that check at once in a round. */
const REGIONS = 4;
const COUNTS = { http: 20_000, https: 4_000, port: 20_000 };
const CERTIFICATES = fileURLToPath(new URL('../test/support/certificates/', import.meta.url));

/**
 * Complete checks with a new connection each, in their own process: through the agent that enforces deadlines, with
 * phases and a full result. Peers use the same targets in the same run.
 */
export async function run(): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tocsin-checks-'));
  const [key, cert] = [
    path.join(CERTIFICATES, 'server-key.pem'),
    path.join(CERTIFICATES, 'good.pem'),
  ];
  const authority = path.join(CERTIFICATES, 'authority.pem');
  await writeFile(path.join(folder, 'authority.pem'), await readFile(authority));
  const plain = await startTarget({ ports: PORTS });
  const secure = await startTarget({ certificate: { key, cert } });
  const names = await startBenchNameServer();
  const blackbox = await startBlackbox(path.join(folder, 'authority.pem'));
  const urls = {
    http: `http://127.0.0.1:${plain.port}/`,
    https: `https://localhost:${secure.port}/`,
  };
  const ours = {
    http: await measureOurs({ kind: 'url', url: urls.http, count: COUNTS.http }, authority),
    named: await measureOurs(
      { kind: 'names', port: plain.port, nameServer: names.address, count: COUNTS.http },
      authority,
    ),
    https: await measureOurs({ kind: 'url', url: urls.https, count: COUNTS.https }, authority),
    port: await measureOurs({ kind: 'ports', ports: plain.ports, count: COUNTS.port }, authority),
  };
  const ab = {
    http: await measureAb(urls.http, COUNTS.http, CONCURRENCY),
    https: await measureAb(urls.https, COUNTS.https, CONCURRENCY),
  };
  const peer = blackbox && {
    http: await blackbox.checksPerCpuSecond('http', [urls.http], 4_000, CONCURRENCY),
    https: await blackbox.checksPerCpuSecond('http', [urls.https], 2_000, CONCURRENCY),
    port: await blackbox.checksPerCpuSecond(
      'tcp',
      plain.ports.map((port) => `127.0.0.1:${port}`),
      4_000,
      CONCURRENCY,
    ),
  };
  report('checks per CPU second', [
    { name: 'HTTP', value: ours.http },
    ...ratio('HTTP / ab', ours.http, ab.http, 0.25),
    ...ratio('HTTP / blackbox', ours.http, peer?.http, 4),
    { name: `HTTP by name, ${REGIONS} regions a name`, value: ours.named },
    ...ratio('by name / by address', ours.named, ours.http, 0.77),
    { name: 'HTTPS, TLS 1.3, verified', value: ours.https },
    ...ratio('HTTPS / ab', ours.https, ab.https, 0.5),
    ...ratio('HTTPS / blackbox', ours.https, peer?.https, 1.5),
    { name: `TCP over ${PORTS} ports`, value: ours.port },
    ...ratio('TCP / blackbox', ours.port, peer?.port, 6),
  ]);
  blackbox?.stop();
  names.stop();
  plain.stop();
  secure.stop();
  await rm(folder, { recursive: true });
}

const HTTP = { ...PLAIN_GET, monitorId: 1, timeoutMs: 5_000 } as const;

function ratio(
  name: string,
  ours: number,
  peer: number | null | undefined,
  least: number,
): Figure[] {
  if (!peer) return [{ name, value: 'peer not installed', target: `≥ ${least}` }];
  const value = ours / peer;
  return [{ name, value, target: `≥ ${least}`, reached: value >= least }];
}

/** Checks per CPU second (user and system), after a warm-up. */
function measureOurs(work: Work, authority: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL(import.meta.url), ['measure', JSON.stringify(work)], {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: authority },
    });
    child.once('message', (message) => resolve((message as { perSecond: number }).perSecond));
    child.once('exit', (code) => reject(new Error(`The measuring process ended with ${code}.`)));
  });
}

type Work = { count: number } & (
  | { kind: 'url'; url: string }
  | { kind: 'ports'; ports: number[] }
  /** A new name for each round, so that only its regions share a lookup. */
  | { kind: 'names'; port: number; nameServer: string }
);

function requestOf(work: Work, index: number): CheckRequest {
  if (work.kind === 'url') return { ...HTTP, url: work.url };
  if (work.kind === 'names') {
    const name = `round-${Math.floor(index / REGIONS)}.example`;
    return { ...HTTP, url: `http://${name}:${work.port}/` };
  }
  const port = work.ports[index % work.ports.length]!;
  return { type: 'port', monitorId: 1, timeoutMs: 5_000, host: '127.0.0.1', port };
}

async function measure(work: Work): Promise<void> {
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
  process.send!({ perSecond: work.count / ((user + system) / 1e6) });
  agent.close();
  await icmp.close();
  await evaluator.close();
  process.disconnect();
}

if (process.argv[2] === 'measure') await measure(JSON.parse(process.argv[3]!));
