import { describe, expect, it } from 'vitest';
import { called, expectedOf, expectWell, type JobLine, NOTICED, theIncident } from './job-line.ts';
import { at, MINUTE, NOW, SECOND } from '../support/client.ts';

describe('pausing and resuming a push monitor', () => {
  it('a resumed job is expected from then on [11.10]', async () => {
    const { line, job } = await called();
    await line.pass(80 * SECOND);
    await line.post(`/monitors/${job.id}/pause`);
    await line.pass(20 * MINUTE);
    await expectWell(line, job);
    await line.post(`/monitors/${job.id}/resume`);
    await line.pass(90 * SECOND);
    await expectWell(line, job);
    await line.pass(NOTICED);
    const deadline = at(80 * SECOND + 20 * MINUTE + 90 * SECOND);
    expect(await theIncident(line, job)).toMatchObject({ started_at: deadline });
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
        line.setDatabaseDown(true);
        await line.pass(milliseconds);
        line.setDatabaseDown(false);
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

  it('a ping that was refused, for however short a time, is none that was missed [13.26]', async () => {
    const { line, job } = await called();
    await line.pass(60 * SECOND);
    line.setDatabaseDown(true);
    expect((await line.ping(job)).status).toBe(503);
    line.setDatabaseDown(false);
    await line.pass(60 * SECOND);
    await expectWell(line, job);
  });
});
