import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { incidents, useServices } from '../support/service.ts';
import { openJobs, pathOf, pingBy, posted, type JobLine } from './job-line.ts';
import { at, expectStatus, ISO_TIME, MINUTE, NOW, PUSH_TYPES, type Json } from './support.ts';

const services = useServices();

const METHODS = ['GET', 'POST', 'HEAD'] as const;

/** What the service remembers of the calls of a job: kind and exit code, oldest first. */
const toldBy = async ({ pingsOf }: JobLine, job: Json) =>
  (await pingsOf(job)).map(({ kind, exit_code: code }) => (code === null ? kind : [kind, code]));

describe('pings', () => {
  it.each(METHODS)(
    '%s at the ping url reports a run, without authentication [12.2]',
    async (method) => {
      const line = await openJobs();
      for (const type of PUSH_TYPES) {
        const job = await line.monitor(type);
        expect((await line.ping(job, '', { method })).status).toBe(200);
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

  it('whatever Authorization a ping has changes nothing [12.3]', async () => {
    for (const authorization of ['Bearer nonsense', 'Basic Og==', '']) {
      expect(await pingBy('', { headers: { authorization } })).toMatchObject({ kind: 'success' });
    }
  });

  it('a ping without status=fail reports a successful run [12.6]', async () => {
    const line = await openJobs();
    const job = await line.monitor('heartbeat');
    await line.ping(job);
    expect(await line.read(job)).toMatchObject({ status: 'online', incidents: [] });
    expect(await toldBy(line, job)).toEqual(['success']);
  });

  it.each(METHODS)(
    'a %s ping with status=fail reports a failed run and opens an incident immediately [12.7]',
    async (method) => {
      const line = await openJobs();
      const job = await line.monitor('cron');
      expect((await line.ping(job, '?status=fail', { method })).status).toBe(200);
      expect(await toldBy(line, job)).toEqual(['failure']);
      expect(await line.read(job)).toMatchObject({
        status: 'offline',
        incidents: [{ status: 'open', started_at: at(0) }],
      });
    },
  );

  it.each(PUSH_TYPES)('pings on a paused %s monitor are ignored [12.18]', async (type) => {
    const line = await openJobs();
    const job = await line.monitor(type);
    await line.ping(job);
    await line.pass(MINUTE);
    await line.post(`/monitors/${job.id}/pause`);
    const before = await line.read(job);
    for (const suffix of ['', '?status=fail', '/fail', '/7', '/start', '/log'])
      expect((await line.ping(job, suffix)).status).toBe(200);
    expect(await line.read(job)).toEqual(before);
    expect(await toldBy(line, job)).toEqual(['success']);
    expect(await line.incidentsOf(job)).toEqual([]);
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

  it.each(['ok', 'success', 'failed', 'FAIL', 'fail%20', '1', 'down', ''])(
    'any other status is a success: %j [12.6]',
    async (status) => {
      expect(await pingBy(`?status=${status}`)).toMatchObject({ kind: 'success' });
    },
  );

  it.each(METHODS)('/fail by %s is a failure [12.5]', async (method) => {
    expect(await pingBy('/fail', { method })).toMatchObject({ kind: 'failure', exit_code: null });
  });

  it('exit code 0 is a success [12.5]', async () => {
    expect(await pingBy('/0')).toMatchObject({ kind: 'success', exit_code: 0 });
  });

  it.each([1, 2, 127, 255])('exit code %d is a failure, and is kept [12.5]', async (code) => {
    expect(await pingBy(`/${code}`)).toMatchObject({ kind: 'failure', exit_code: code });
  });

  it.each(['/start', '/log'])('%s ends no run [12.8]', async (suffix) => {
    const line = await openJobs();
    const job = await line.monitor('heartbeat');
    await line.pass(10 * MINUTE);
    expect((await line.ping(job, suffix)).status).toBe(200);
    expect(await toldBy(line, job)).toEqual([suffix.slice(1)]);
    expect(await line.read(job)).toMatchObject({
      status: 'pending',
      last_heartbeat_at: null,
      heartbeat_expected_at: job['heartbeat_expected_at'],
      incidents: [],
    });
  });

  it('an unknown suffix is 404, and nothing is recorded [12.13]', async () => {
    const line = await openJobs();
    const job = await line.monitor('heartbeat');
    const unknown = '256 999 1000 01 00 -1 +1 1.0 0x1 1e1 FAIL Start done finish fail/1 1/fail a/b';
    for (const suffix of unknown.split(' ')) {
      const { status, body } = await line.ping(job, `/${suffix}`);
      expect([suffix, status, body]).toEqual([suffix, 404, { message: expect.any(String) }]);
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

  it('a path without a token is 404 [12.14]', async () => {
    const line = await openJobs();
    for (const path of ['/ping', '/ping/', '/ping?status=fail'])
      expect((await line.dial(path)).status).toBe(404);
  });

  it('a token in other letters is another token [12.16]', async () => {
    const line = await openJobs();
    const path = pathOf(await line.monitor('heartbeat'));
    const token = path.split('/').at(-1)!;
    for (const other of [token.slice(0, -1), `${token}A`, swapCase(token)])
      expect((await line.dial(`/ping/${other}`)).status).toBe(404);
  });

  it('the ping url of a deleted monitor is 404 [12.14, 12.15]', async () => {
    const line = await openJobs();
    const job = await line.monitor('heartbeat');
    await line.ping(job);
    expectStatus(await line.del(`/monitors/${job.id}`), 204);
    expect((await line.ping(job)).status).toBe(404);
  });

  it('a ping is answered 200 with success and a message [12.17]', async () => {
    const line = await openJobs();
    const job = await line.monitor('heartbeat');
    for (const suffix of ['', '?status=fail', '/fail', '/0', '/9', '/start', '/log']) {
      const { status, body, headers } = await line.ping(job, suffix);
      expect([status, body]).toEqual([
        200,
        { success: true, message: expect.stringMatching(/\w+ \w+/) },
      ]);
      expect(headers['content-type']).toMatch(/^application\/json/);
    }
  });

  it('a paused ping is answered 200 and "ignored" [12.18]', async () => {
    const line = await openJobs();
    const job = await line.monitor('heartbeat');
    await line.post(`/monitors/${job.id}/pause`);
    const { status, body } = await line.ping(job);
    expect([status, body]).toEqual([
      200,
      { success: true, message: expect.stringContaining('ignored') },
    ]);
  });

  it('HEAD is answered without a body, whatever the answer [12.20]', async () => {
    const line = await openJobs();
    const job = await line.monitor('heartbeat');
    for (const suffix of ['', '/fail', '/nonsense']) {
      const [head, get] = [
        await line.ping(job, suffix, { method: 'HEAD' }),
        await line.ping(job, suffix),
      ];
      expect([head.status, head.text]).toEqual([get.status, '']);
      expect(get.text).not.toBe('');
      expect(head.headers['content-type']).toBe(get.headers['content-type']);
    }
  });

  it('200 means that the ping is recorded already [12.21]', async () => {
    const line = await openJobs();
    const job = await line.monitor('heartbeat');
    const answered: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      answered.push((await line.ping(job)).status);
      const rows = await line.api.database.read.selectFrom('ping').select('number').execute();
      expect(rows).toHaveLength(answered.length);
    }
    expect(new Set(answered)).toEqual(new Set([200]));
  });

  it('the database away: 503 with a message and Retry-After, and nothing is recorded [12.22]', async () => {
    const line = await openJobs();
    const job = await line.monitor('heartbeat');
    await line.ping(job);
    line.setDatabaseAway(true);
    for (const suffix of ['', '/fail', '/start']) {
      const { status, body, headers } = await line.ping(job, suffix);
      expect([status, body]).toEqual([503, { message: expect.stringMatching(/\w+ \w+/) }]);
      expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
    }
    line.setDatabaseAway(false);
    expect(await toldBy(line, job)).toEqual(['success']);
    expect((await line.ping(job)).status).toBe(200);
  });

  it('the ping url stands in no stored event [12.31]', async () => {
    const line = await openJobs();
    const job = await line.monitor('heartbeat');
    await line.ping(job, '/fail');
    await line.ping(job);
    const events = await line.api.database.read.selectFrom('event').selectAll().execute();
    expect(events.map((event) => event.type)).toEqual([
      'monitor.heartbeat_missed',
      'monitor.heartbeat_recovered',
    ]);
    for (const { payload } of events) {
      expect(JSON.parse(String(payload))).toMatchObject({ monitor: { id: job.id, url: null } });
      expect(String(payload)).not.toContain(pathOf(job).split('/').at(-1));
    }
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

  it('another method of the ping url is 405 with Allow [12.4]', async () => {
    const line = await openJobs();
    const job = await line.monitor('heartbeat');
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const { status, body, headers } = await line.ping(job, '/fail', { method });
      expect([status, body]).toEqual([405, { message: expect.any(String) }]);
      expect(headers.allow!.split(', ').toSorted()).toEqual(['GET', 'HEAD', 'POST']);
    }
    expect(await line.pingsOf(job)).toEqual([]);
  });

  it('every answer under /ping carries the rate limit headers and a request id of its own [12.29]', async () => {
    const line = await openJobs({ limit: 4 });
    const [job, paused] = [await line.monitor('heartbeat'), await line.monitor('cron')];
    await line.post(`/monitors/${paused.id}/pause`);
    const answers = [
      await line.ping(job),
      await line.ping(job, '', { method: 'HEAD' }),
      await line.ping(job, '/fail', { method: 'POST', body: 'x' }),
      await line.ping(paused),
      await line.ping(job, '/nonsense'),
      await line.ping(job, '', { method: 'DELETE' }),
      await line.dial('/ping/nobody'),
      await line.dial('/ping'),
      await line.ping(job),
      await line.ping(job),
    ];
    line.setDatabaseAway(true);
    answers.push(await line.ping(paused));
    expect(answers.map(({ status }) => status)).toEqual([
      200, 200, 200, 200, 404, 405, 404, 404, 200, 429, 503,
    ]);
    for (const { headers } of answers) {
      expect(headers['x-ratelimit-limit']).toMatch(/^\d+$/);
      expect(headers['x-ratelimit-remaining']).toMatch(/^\d+$/);
      expect(headers['x-ratelimit-reset']).toMatch(/^\d{10}$/);
    }
    const ids = answers.map(({ headers }) => headers['x-request-id']);
    expect(new Set(ids).size).toBe(answers.length);
    for (const id of ids) expect(id).toMatch(/\S/);
  });

  it('times of pings are ISO 8601 in UTC with milliseconds and Z [1.4]', async () => {
    const line = await openJobs();
    const job = await line.monitor('heartbeat');
    await line.ping(job);
    const [ping] = await line.pingsOf(job);
    const { last_heartbeat_at: last, heartbeat_expected_at: expected } = await line.read(job);
    for (const time of [ping!['received_at'], last, expected]) expect(time).toMatch(ISO_TIME);
  });
});

const swapCase = (text: string) =>
  text.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
