import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { incidents, useServices } from '../support/service.ts';
import { openJobs, pathOf, posted, type JobLine } from './job-line.ts';
import { at, expectStatus, MINUTE, NOW, type Json } from '../support/client.ts';

const HOUR = 60 * MINUTE;
const services = useServices();

const METHODS = ['GET', 'POST', 'HEAD'] as const;

/** What the service remembers of the calls of a job: kind and exit code, oldest first. */
const toldBy = async ({ pingsOf }: JobLine, job: Json) =>
  (await pingsOf(job)).map(({ kind, exit_code: code }) => (code === null ? kind : [kind, code]));

describe('pings', () => {
  it.each(METHODS)(
    '%s at the ping url reports a run, whatever Authorization it has [12.2, 12.3]',
    async (method) => {
      const line = await openJobs();
      for (const authorization of [undefined, 'Bearer nonsense', 'Basic Og==', '']) {
        const headers = authorization === undefined ? {} : { authorization };
        const job = await line.monitor(authorization ? 'cron' : 'heartbeat');
        expect((await line.ping(job, '', { method, headers })).status).toBe(200);
        expect(await toldBy(line, job)).toEqual(['success']);
      }
    },
  );

  it('the ping url is {base_url}/ping/{token}, without a version [12.1]', async () => {
    const line = await openJobs();
    const job = await line.monitor('heartbeat');
    expect(job['ping_url']).toMatch(/^https:\/\/up\.example\.com\/ping\/[^/?]+$/);
    for (const prefix of ['/api', '/api/v1', '/v1'])
      expect((await line.dial(prefix + pathOf(job))).status).not.toBe(200);
    expect(await line.pingsOf(job)).toEqual([]);
  });

  it('a resumed monitor takes pings again [12.19]', async () => {
    const line = await openJobs();
    const job = await line.monitor('heartbeat');
    await line.post(`/monitors/${job.id}/pause`);
    await line.ping(job);
    await line.post(`/monitors/${job.id}/resume`);
    expect((await line.ping(job, '/1')).status).toBe(200);
    expect(await toldBy(line, job)).toEqual([['failure', 1]]);
  });

  it('an unknown suffix is 404, and nothing is recorded [12.13]', async () => {
    const line = await openJobs();
    const job = await line.monitor('heartbeat');
    const unknown = '256 999 1000 01 00 -1 +1 1.0 0x1 1e1 FAIL Start done finish fail/1 1/fail a/b';
    for (const suffix of unknown.split(' ')) {
      const { status, body } = await line.ping(job, `/${suffix}`);
      const message = expect.stringContaining('/fail');
      expect([suffix, status, body]).toEqual([suffix, 404, { message }]);
    }
    expect(await line.pingsOf(job)).toEqual([]);
    expect(await line.read(job)).toMatchObject({ status: 'pending' });
  });

  it('an unknown token is 404, with any method and suffix [12.14]', async () => {
    const line = await openJobs();
    await line.monitor('heartbeat');
    for (const method of METHODS)
      for (const path of ['/ping/nobody', '/ping/nobody/fail', '/ping/nobody/3?rid=1'])
        expect((await line.dial(path, { method })).status).toBe(404);
    expect((await line.dial('/ping/nobody')).body).toEqual({ message: expect.any(String) });
  });

  it('a token in other letters is another token [12.16]', async () => {
    const line = await openJobs();
    const path = pathOf(await line.monitor('heartbeat'));
    const token = path.split('/').at(-1)!;
    for (const other of [token.slice(0, -1), `${token}A`, swapCase(token)])
      expect((await line.dial(`/ping/${other}`)).status).toBe(404);
  });

  it('the ping url of a deleted monitor is 404, and it is not missed [12.14, 12.15]', async () => {
    const line = await openJobs();
    const job = await line.monitor('heartbeat');
    await line.ping(job);
    expectStatus(await line.del(`/monitors/${job.id}`), 204);
    expect((await line.ping(job)).status).toBe(404);
    await line.pass(3 * HOUR);
    expect(await line.api.database.read.selectFrom('event').selectAll().execute()).toEqual([]);
  });
});

describe('pings to the program itself', () => {
  it('the ping url works as it is answered, and its token is in no log line and in no file [12.30, 35.13]', async () => {
    const DATA_DIR = await services.folder();
    const service = await services.start({ DATA_DIR, LOG_LEVEL: 'debug' });
    const { body: job } = await service.post('/api/v1/monitors', {
      monitor_type: 'heartbeat',
      friendly_name: 'Backup',
      heartbeat_interval: 300,
    });
    const url = String(job['ping_url']);
    const answered: number[] = [];
    for (const suffix of ['', '/start', '/log', '/fail', '/3', '', '/nonsense'])
      answered.push((await fetch(url + suffix, { method: 'POST', body: 'text' })).status);
    answered.push((await fetch(url, { method: 'DELETE' })).status);
    answered.push((await fetch(`${url}x`)).status);
    expect(answered).toEqual([200, 200, 200, 200, 200, 200, 404, 405, 404]);
    expect(await incidents(service)).toMatchObject([{ type: 'heartbeat', status: 'resolved' }]);
    await service.stop();

    const token = url.split('/').at(-1)!;
    expect(service.stdout).toMatch(/\S/);
    expect(service.stdout + service.stderr).not.toContain(token);
    const files = await readdir(DATA_DIR, { recursive: true, withFileTypes: true });
    const kept = files.filter((file) => file.isFile());
    expect(kept).not.toEqual([]);
    for (const { parentPath, name } of kept)
      expect((await readFile(join(parentPath, name))).includes(token), name).toBe(false);
  });
});

describe('answers to pings', () => {
  it('the list of pings tells what each call of the ping url brought [12.33]', async () => {
    const line = await openJobs();
    const job = await line.monitor('heartbeat');
    await line.ping(job, '/start?rid=night', { headers: { 'user-agent': 'curl/8.14.1' } });
    await line.pass(1_500);
    await line.ping(job, '/2?rid=night', posted('disk full'));
    expect(await line.pingsOf(job)).toEqual([
      {
        id: 1,
        kind: 'start',
        received_at: at(0),
        duration_ms: null,
        exit_code: null,
        run_id: 'night',
        source_address: '127.0.0.1',
        user_agent: 'curl/8.14.1',
        body: null,
        body_truncated: false,
      },
      {
        id: 2,
        kind: 'failure',
        received_at: new Date(NOW + 1_500).toISOString(),
        duration_ms: 1_500,
        exit_code: 2,
        run_id: 'night',
        source_address: '127.0.0.1',
        user_agent: null,
        body: 'disk full',
        body_truncated: false,
      },
    ]);
  });
});

const swapCase = (text: string) =>
  text.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
