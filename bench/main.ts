/**
 * `npm run bench` runs all benchmarks, `npm run bench -- NAME …` some. Each prints one table and one JSON line;
 * method and results are in docs/performance.md.
 */
const BENCHMARKS: Record<string, () => Promise<{ run(options: string[]): Promise<void> }>> = {
  checks: () => import('./checks.ts'),
  content: () => import('./content.ts'),
  icmp: () => import('./icmp.ts'),
  start: () => import('./start.ts'),
  detect: () => import('./detect.ts'),
  storm: () => import('./storm.ts'),
  blackholes: () => import('./blackholes.ts'),
  overload: () => import('./overload.ts'),
  webhooks: () => import('./webhooks.ts'),
  accuracy: () => import('./accuracy.ts'),
  growth: () => import('./growth.ts'),
  engine: () => import('./engine.ts'),
  api: () => import('./api.ts'),
  history: () => import('./history.ts'),
  incidents: () => import('./incidents.ts'),
  ping: () => import('./ping.ts'),
  status: () => import('./status.ts'),
  reports: () => import('./reports.ts'),
  overview: () => import('./overview.ts'),
  'monitor-overview': () => import('./monitor-overview.ts'),
  subscribers: () => import('./subscribers.ts'),
};

const words = process.argv.slice(2);
const names = words.filter((word) => !word.startsWith('--'));
const options = words.filter((word) => word.startsWith('--'));
const unknown = names.filter((name) => !(name in BENCHMARKS));
if (unknown.length > 0) {
  console.error(
    `No benchmark named ${unknown.join(', ')}; there are ${Object.keys(BENCHMARKS).join(', ')}.`,
  );
  process.exit(1);
}
for (const name of names.length > 0 ? names : Object.keys(BENCHMARKS)) {
  const benchmark = await BENCHMARKS[name]!();
  await benchmark.run(options);
}
