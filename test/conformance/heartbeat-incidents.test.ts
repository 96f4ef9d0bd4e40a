import { describe, expect, it } from 'vitest';
import { called, pathOf, statusOf, theIncident } from './job-line.ts';
import { at, MINUTE, SECOND } from '../support/client.ts';

describe('incidents of push monitors', () => {
  it('a job has at most one open incident of type heartbeat, beside manual ones [13.7]', async () => {
    const { line, job } = await called();
    const manual = await line.incident(job.id);
    await line.ping(job, '/fail');
    await line.ping(job, '/2');
    await line.pass(10 * MINUTE);
    await line.ping(job, '/fail');
    const open = (await line.incidentsOf(job)).filter(({ status }) => status === 'open');
    expect(open.map(({ type }) => type).toSorted()).toEqual(['heartbeat', 'manual']);
    await line.ping(job);
    const left = (await line.incidentsOf(job)).filter(({ status }) => status === 'open');
    expect(left.map(({ id }) => id)).toEqual([manual.id]);
    expect(await statusOf(line, job)).toBe('online');
  });

  it('a list shows a job as a read does, after each ping and each miss [13.19]', async () => {
    const { line, job } = await called();
    const steps = [
      () => line.ping(job),
      () => line.pass(2 * MINUTE),
      () => line.ping(job, '/fail'),
      () => line.ping(job, '/start'),
      () => line.ping(job),
      () => line.post(`/monitors/${job.id}/pause`),
      () => line.post(`/monitors/${job.id}/resume`),
    ];
    const seen: unknown[] = [];
    for (const step of steps) {
      await step();
      const { incidents, response_times: times, ...read } = await line.read(job);
      expect([times, Array.isArray(incidents)]).toEqual([[], true]);
      expect((await line.get('/monitors')).body['data']).toEqual([read]);
      const filtered = await line.get(`/monitors?status=${read['status']}&type=heartbeat`);
      expect(filtered.body['data']).toEqual([read]);
      seen.push(read['status']);
    }
    expect(seen).toEqual(['online', 'offline', 'offline', 'offline', 'online', 'online', 'online']);
  });
});

describe('incidents of push monitors that a person changed', () => {
  it('an acknowledged incident of a job ends with its success [13.10]', async () => {
    const { line, job } = await called();
    await line.ping(job, '/fail');
    const { id } = await theIncident(line, job);
    await line.post(`/incidents/${id}/acknowledge`);
    await line.ping(job);
    expect(await theIncident(line, job)).toMatchObject({ status: 'resolved' });
  });
});

describe('events of push monitors', () => {
  it('a missed ping and the recovery are events without the ping url [12.31, 28.2]', async () => {
    const { line, job } = await called();
    await line.pass(10 * MINUTE);
    await line.ping(job);
    const events = await line.api.database.read.selectFrom('event').selectAll().execute();
    expect(JSON.stringify(events)).not.toContain(pathOf(job).split('/').at(-1));
    const payloads = events.map(({ payload }) => JSON.parse(String(payload)));
    const incident = await theIncident(line, job);
    const monitor = { id: job.id, name: 'Backup', url: null };
    const started = { id: incident.id, started_at: at(90 * SECOND) };
    expect(payloads).toMatchObject([
      {
        event: 'monitor.heartbeat_missed',
        monitor,
        status: { previous: 'online', current: 'offline', root_cause: incident['root_cause'] },
        incident: started,
      },
      {
        event: 'monitor.heartbeat_recovered',
        monitor,
        status: { previous: 'offline', current: 'online' },
        incident: started,
      },
    ]);
  });
});
