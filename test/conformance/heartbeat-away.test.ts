import { describe, expect, it } from 'vitest';
import {
  activitiesOf,
  called,
  expectedOf,
  expectWell,
  iso,
  NOTICED,
  scheduled,
  theIncident,
  type JobLine,
} from './job-line.ts';
import { at, MINUTE, NOW, SECOND } from './support.ts';

describe('pausing and resuming a push monitor', () => {
  it('a resumed job is waited for from then [11.10]', async () => {
    const { line, job } = await called();
    await line.pass(80 * SECOND);
    await line.post(`/monitors/${job.id}/pause`);
    await line.pass(20 * MINUTE);
    await expectWell(line, job);
    await line.post(`/monitors/${job.id}/resume`);
    await line.pass(90 * SECOND);
    await expectWell(line, job);
    await line.pass(NOTICED);
    expect(await theIncident(line, job)).toMatchObject({
      started_at: at(80 * SECOND + 20 * MINUTE + 90 * SECOND),
    });
  });

  it('pausing a push monitor keeps its status and its open incident [9.4]', async () => {
    const { line, job } = await called();
    await line.ping(job, '/fail');
    await line.post(`/monitors/${job.id}/pause`);
    await line.pass(5 * MINUTE);
    expect(await line.read(job)).toMatchObject({ status: 'offline', is_paused: true });
    const incident = await theIncident(line, job);
    expect(incident).toMatchObject({ status: 'open' });
    expect(activitiesOf(incident)).toEqual(['opened']);
  });

  it('time in which a push monitor is paused is unobserved [24.14]', async () => {
    const { line, job } = await called();
    await line.pass(50 * SECOND);
    await line.post(`/monitors/${job.id}/pause`);
    await line.pass(5 * MINUTE);
    await line.post(`/monitors/${job.id}/resume`);
    await line.ping(job);
    await line.pass(10 * SECOND);
    const { body } = await line.get(`/monitors/${job.id}/uptime?from=${at(0)}`);
    expect(body).toMatchObject({ up_seconds: 60, unobserved_seconds: 300, down_seconds: 0 });
  });

  it('a job is down from its missed ping to its next success [24.19]', async () => {
    const { line, job } = await called();
    await line.pass(5 * MINUTE);
    await line.ping(job);
    await line.pass(10 * SECOND);
    const { body } = await line.get(`/monitors/${job.id}/uptime?from=${at(0)}`);
    expect(body).toMatchObject({ up_seconds: 100, down_seconds: 210, unobserved_seconds: 0 });
  });
});

describe('time in which the service was away', () => {
  const absences: [string, (line: JobLine, milliseconds: number) => Promise<void>][] = [
    ['it stood still', async ({ api }, milliseconds) => api.clock.freeze(milliseconds)],
    [
      'its database was away',
      async (line, milliseconds) => {
        line.setDatabaseAway(true);
        await line.pass(milliseconds);
        line.setDatabaseAway(false);
      },
    ],
  ];

  it.each(absences)('never becomes a missed ping: %s [13.20]', async (_how, away) => {
    const { line, job } = await called();
    await line.pass(30 * SECOND);
    await away(line, 10 * MINUTE);
    await line.pass(30 * SECOND);
    await expectWell(line, job);
    // Waited for anew, from the recovery on.
    const expected = Date.parse(String(await expectedOf(line, job))) - NOW;
    const recovered = 10.5 * MINUTE;
    expect(expected).toBeGreaterThanOrEqual(recovered + MINUTE);
    expect(expected).toBeLessThanOrEqual(recovered + MINUTE + NOTICED);
    await line.ping(job);
    await line.pass(MINUTE);
    await expectWell(line, job);
  });

  it.each(absences)(
    're-arms a deadline, which may then be missed: %s [13.21]',
    async (_how, away) => {
      const { line, job } = await called();
      await line.pass(30 * SECOND);
      await away(line, 10 * MINUTE);
      await line.pass(30 * SECOND);
      await expectWell(line, job);
      const expected = Date.parse(String(await expectedOf(line, job)));
      await line.pass(2 * MINUTE);
      expect(await theIncident(line, job)).toMatchObject({
        started_at: new Date(expected + 30 * SECOND).toISOString(),
      });
    },
  );

  it.each(absences)('re-arms a cron job for its next fire: %s [13.21]', async (_how, away) => {
    const { line, job } = await scheduled('2030-01-01T05:58', '0 * * * *');
    await line.ping(job);
    await away(line, 10 * MINUTE);
    await line.pass(30 * SECOND);
    await expectWell(line, job);
    expect(await expectedOf(line, job)).toBe(iso('2030-01-01T07:00'));
  });

  it('a ping that was refused, for however short a time, is none that was missed [13.26]', async () => {
    const { line, job } = await called();
    await line.pass(60 * SECOND);
    line.setDatabaseAway(true);
    expect((await line.ping(job)).status).toBe(503);
    line.setDatabaseAway(false);
    await line.pass(60 * SECOND);
    await expectWell(line, job);
  });

  it('a deadline that lies after it is kept [13.23]', async () => {
    const { line, job } = await called({ heartbeat_interval: 1200, heartbeat_grace: 0 });
    line.api.clock.freeze(5 * MINUTE);
    await line.pass(5 * MINUTE);
    expect(await expectedOf(line, job)).toBe(at(20 * MINUTE));
  });

  it('a failure that is told after it is an incident [13.31]', async () => {
    const { line, job } = await called();
    line.api.clock.freeze(10 * MINUTE);
    await line.ping(job, '/fail');
    expect(await theIncident(line, job)).toMatchObject({ status: 'open' });
  });
});
