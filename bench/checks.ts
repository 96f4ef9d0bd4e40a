import { CONCURRENCY, measureAgent, REGIONS_OF_ROUND } from './agent.ts';
import { certificates } from './certificates.ts';
import { startBenchNameServer } from './name-server.ts';
import { measureAb, startBlackbox } from './peers.ts';
import { ratio, report } from './report.ts';
import { startTarget } from './target.ts';

/** With a single port, the system's search for free local ports would dominate. */
const PORTS = 64;
const COUNTS = { http: 20_000, https: 4_000, port: 20_000 };

/**
 * Complete checks by the agent alone, without a service around it; `stored` measures the whole. Peers use the same
 * targets in the same run, after as many checks for warm-up.
 */
export async function run(): Promise<void> {
  const { certificate, authority } = certificates();
  const plain = await startTarget({ ports: PORTS });
  const secure = await startTarget({ certificate });
  const names = await startBenchNameServer();
  const blackbox = await startBlackbox(authority);
  const urls = {
    http: `http://127.0.0.1:${plain.port}/`,
    https: `https://localhost:${secure.port}/`,
  };
  const ours = {
    http: await measureAgent({ kind: 'url', url: urls.http, count: COUNTS.http }, authority),
    named: await measureAgent(
      { kind: 'names', port: plain.port, nameServer: names.address, count: COUNTS.http },
      authority,
    ),
    https: await measureAgent({ kind: 'url', url: urls.https, count: COUNTS.https }, authority),
    port: await measureAgent({ kind: 'ports', ports: plain.ports, count: COUNTS.port }, authority),
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
  report('checks per CPU second, agent alone', [
    { name: 'HTTP', value: ours.http },
    ratio('HTTP / ab', ours.http, ab.http, 0.25),
    ratio('HTTP / blackbox', ours.http, peer?.http, 4),
    { name: `HTTP by name, ${REGIONS_OF_ROUND} regions a name`, value: ours.named },
    ratio('by name / by address', ours.named, ours.http, 0.77),
    { name: 'HTTPS, TLS 1.3, verified', value: ours.https },
    ratio('HTTPS / ab', ours.https, ab.https, 0.5),
    ratio('HTTPS / blackbox', ours.https, peer?.https, 1.5),
    { name: `TCP over ${PORTS} ports`, value: ours.port },
    ratio('TCP / blackbox', ours.port, peer?.port, 6),
  ]);
  blackbox?.stop();
  names.stop();
  plain.stop();
  secure.stop();
}
