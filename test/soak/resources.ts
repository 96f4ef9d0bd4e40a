import type { Job } from './pinger.ts';
import type { Targets } from './targets.ts';

export interface Resources {
  monitors: { id: number; intervalMs: number }[];
  jobs: Job[];
}

interface Wanted {
  targets: Pick<Targets, 'url'>;
  monitors: number;
  /** Their intervals, in turn. */
  intervalsMs: readonly number[];
  jobs: number;
  /** Their regions: as many monitors as there are intervals of each in turn. */
  regions: readonly string[];
  receiver: string;
}

/**
 * Creates the webhook endpoint, the monitors and the jobs over the API. A monitor has one region, so that a request is a
 * round.
 *
 * @throws what a refused request was answered.
 */
export async function createResources(
  { url, token }: { url: string; token: string },
  { targets, monitors, intervalsMs, jobs, regions, receiver }: Wanted,
): Promise<Resources> {
  const create = async (path: string, body: object): Promise<{ id: number; url: string }> => {
    const response = await fetch(`${url}/api/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (response.status !== 201) throw new Error(`POST ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as { id: number; url: string };
  };
  await create('webhook-endpoints', {
    name: 'Receiver',
    url: receiver,
    severities: ['critical', 'warning', 'info'],
  });
  const created: Resources = { monitors: [], jobs: [] };
  for (let index = 0; index < monitors; index += 1) {
    const intervalMs = intervalsMs[index % intervalsMs.length]!;
    const { id } = await create('monitors', {
      url: targets.url(index),
      check_interval: intervalMs / 60_000,
      monitored_regions: [regions[Math.floor(index / intervalsMs.length) % regions.length]],
      failure_threshold: 2,
      recovery_threshold: 1,
    });
    created.monitors.push({ id, intervalMs });
  }
  for (let index = 0; index < jobs; index += 1) {
    const job = await create('monitors', {
      monitor_type: 'heartbeat',
      friendly_name: `Job ${index}`,
      heartbeat_interval: 60,
      heartbeat_grace: 30,
    });
    created.jobs.push({ id: job.id, path: new URL(job.url).pathname });
  }
  return created;
}
