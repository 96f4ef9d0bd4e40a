import { setTimeout as pause } from 'node:timers/promises';
import type { Service } from './process.ts';

/** Milliseconds of each request by what was read. */
export interface Latencies {
  monitors: number[];
  incidents: number[];
  results: number[];
  reports: number[];
}

const EVERY_MS = 1_000;
const REPORT_EVERY_MS = 20_000;
/** Monitors of a report, and the days before today that it is about. */
const REPORTED = 40;

/**
 * Reads lists of monitors, of open incidents and of results once a second each, as people with an open dashboard do; with
 * `withReports` also makes a report of 40 monitors over 30 days every 20 s, in turn as JSON and as PDF.
 */
export async function readMeanwhile(
  service: Service,
  options: { seconds: number; monitors: number; withReports: boolean },
): Promise<Latencies> {
  const found: Latencies = { monitors: [], incidents: [], results: [], reports: [] };
  const endsAt = performance.now() + options.seconds * 1000;
  const timed = async (kind: keyof Latencies, path: string) => {
    const askedAt = performance.now();
    const answer = await service.get(path);
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}.`);
    found[kind].push(performance.now() - askedAt);
  };
  const every = async (milliseconds: number, work: (turn: number) => Promise<void>) => {
    for (let turn = 0; performance.now() < endsAt; turn++) {
      await work(turn);
      await pause(Math.min(milliseconds, Math.max(0, endsAt - performance.now())));
    }
  };
  await Promise.all([
    every(EVERY_MS, async (turn) => {
      const monitor = 1 + ((turn * 7919) % options.monitors);
      await timed('monitors', '/api/v1/monitors?per_page=20');
      await timed('incidents', '/api/v1/incidents?status=open');
      await timed('results', `/api/v1/monitors/${monitor}/results`);
    }),
    options.withReports
      ? every(REPORT_EVERY_MS, (turn) => timed('reports', reportPath(turn)))
      : Promise.resolve(),
  ]);
  return found;
}

function reportPath(turn: number): string {
  const monitors = Array.from({ length: REPORTED }, (_, n) => `monitors[]=${n + 1}`).join('&');
  return `/api/v1/reports/uptime?${monitors}&format=${turn % 2 === 0 ? 'json' : 'pdf'}`;
}
