import { describe, expect, it } from 'vitest';
import {
  activitiesOf,
  called,
  NOTICED,
  pathOf,
  statusOf,
  theIncident,
  type JobLine,
} from './job-line.ts';
import { at, expectStatus, idsOf, type Json, MINUTE, NOW, SECOND } from '../support/client.ts';

describe('incidents of push monitors', () => {
  it.each(['', '/0', '?status=ok'])(
    'a success resolves the open incident, and the monitor is online: %j [13.9]',
    async (suffix) => {
      const { line, job } = await called();
      await line.pass(10 * MINUTE);
      await line.ping(job, suffix);
      expect(await line.read(job)).toMatchObject({ status: 'online' });
      const incident = await theIncident(line, job);
      expect(incident).toMatchObject({
        status: 'resolved',
        started_at: at(90 * SECOND),
        ended_at: at(10 * MINUTE),
        duration_seconds: 510,
      });
      expect(activitiesOf(incident)).toEqual(['opened', 'resolved']);
    },
  );

  it.each(['?status=fail', '/fail', '/1', '/255', '/fail?rid=7'])(
    'a failure is an incident at once: %s [13.5]',
    async (suffix) => {
      const { line, job } = await called();
      await line.pass(10 * SECOND);
      await line.ping(job, suffix);
      expect(await statusOf(line, job)).toBe('offline');
      expect(await theIncident(line, job)).toMatchObject({
        status: 'open',
        started_at: at(10 * SECOND),
        root_cause: expect.stringMatching(/\w+ \w+/),
        type: 'heartbeat',
        severity: 'critical',
      });
    },
  );

  it('the cause names the exit code [13.6]', async () => {
    const { line, job } = await called();
    await line.ping(job, '/137');
    expect((await theIncident(line, job))['root_cause']).toContain('137');
  });

  it('further failures add activities to the open incident [13.8]', async () => {
    const { line, job } = await called();
    await line.ping(job, '/1');
    const first = await theIncident(line, job);
    await line.pass(10 * SECOND);
    await line.ping(job, '/fail');
    await line.pass(10 * SECOND);
    await line.ping(job, '/99');
    const incident = await theIncident(line, job);
    expect(incident).toMatchObject({ id: first.id, status: 'open', started_at: at(0) });
    expect(incident['root_cause']).toBe(first['root_cause']);
    expect(activitiesOf(incident)).toEqual(['failed_again', 'failed_again', 'opened']);
    const last = (incident['activities'] as Json[]).find(({ created_at: time }) => {
      return time === at(20 * SECOND);
    });
    expect(last).toMatchObject({ user: null, description: expect.stringContaining('99') });
  });

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
  it('incidents of jobs are found by their type and severity [4.28]', async () => {
    const { line, job } = await called();
    await line.ping(job, '/fail');
    await line.incident(job.id, { severity: 'warning' });
    const { id } = (await line.incidentsOf(job)).find(({ type }) => type === 'heartbeat')!;
    for (const query of ['type=heartbeat', 'severity=critical', 'type=heartbeat&status=open'])
      expect(idsOf(await line.get(`/incidents?${query}`))).toEqual([id]);
    expect(idsOf(await line.get('/incidents?type=uptime'))).toEqual([]);
  });

  const closings: [string, (line: JobLine, incident: Json) => Promise<unknown>][] = [
    ['resolved', (line, { id }) => line.post(`/incidents/${id}/resolve`)],
    ['deleted', (line, { id }) => line.del(`/incidents/${id}`)],
  ];

  it.each(closings)(
    'an incident that is %s by hand while the job is silent opens anew [13.16]',
    async (_how, close) => {
      const { line, job } = await called();
      await line.pass(5 * MINUTE);
      const first = await theIncident(line, job);
      await close(line, first);
      expect(await statusOf(line, job)).toBe('offline');
      await line.pass(NOTICED);
      const isFirst = ({ id }: Json) => id === first.id;
      expect((await line.incidentsOf(job)).filter((one) => !isFirst(one))).toEqual([]);
      expect(await statusOf(line, job)).toBe('offline');
      await line.pass(90 * SECOND + NOTICED);
      const anew = (await line.incidentsOf(job)).filter((one) => !isFirst(one));
      expect(anew).toMatchObject([{ type: 'heartbeat', status: 'open' }]);
      const started = Date.parse(String(anew[0]!['started_at'])) - NOW;
      expect(started).toBeGreaterThanOrEqual(5 * MINUTE + 90 * SECOND);
      expect(started).toBeLessThanOrEqual(5 * MINUTE + 90 * SECOND + NOTICED);
    },
  );

  it.each(closings)(
    'an incident that is %s by hand before the job is well again does not come back [13.17]',
    async (_how, close) => {
      const { line, job } = await called();
      await line.pass(5 * MINUTE);
      const first = await theIncident(line, job);
      await close(line, first);
      await line.ping(job);
      expect(await statusOf(line, job)).toBe('online');
      expect((await line.incidentsOf(job)).filter(({ id }) => id !== first.id)).toEqual([]);
    },
  );

  it('an incident that was resolved by hand and reopened is the one that goes on [13.18]', async () => {
    const { line, job } = await called();
    await line.ping(job, '/1');
    const { id } = await theIncident(line, job);
    await line.post(`/incidents/${id}/resolve`);
    expectStatus(await line.put(`/incidents/${id}`, { status: 'open' }), 200);
    await line.ping(job, '/2');
    expect(activitiesOf(await theIncident(line, job))).toContain('failed_again');
    await line.ping(job);
    expect(await theIncident(line, job)).toMatchObject({ id, status: 'resolved' });
    expect(await statusOf(line, job)).toBe('online');
  });

  it.each([
    ['a success ends it', '', 'resolved'],
    ['a failure goes on with it', '/fail', 'open'],
  ])(
    'an incident that is reopened after the recovery: %s [13.18]',
    async (_what, suffix, status) => {
      const { line, job } = await called();
      await line.ping(job, '/fail');
      await line.ping(job);
      const { id } = await theIncident(line, job);
      await line.put(`/incidents/${id}`, { status: 'open' });
      expect(await statusOf(line, job)).toBe('online');
      await line.ping(job, '/start');
      expect(await theIncident(line, job)).toMatchObject({ status: 'open' });
      await line.ping(job, suffix);
      expect(await theIncident(line, job)).toMatchObject({ id, status });
      await line.put(`/incidents/${id}`, { status: 'resolved' });
      await line.ping(job);
      expect(await theIncident(line, job)).toMatchObject({ id, status: 'resolved' });
    },
  );

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
