import { expect, test, vi } from 'vitest';
import { ADMIN_TOKEN, useServices } from '../support/service.ts';

vi.setConfig({ testTimeout: 60_000 });

const services = useServices();
const TOKEN = /tocsin_\w+/g;

test('the first start prints a token that works, the second none', async () => {
  const DATA_DIR = await services.folder();
  const first = await services.start({ DATA_DIR, ADMIN_TOKEN: undefined });
  const tokens = first.stderr.match(TOKEN) ?? [];
  expect(tokens).toHaveLength(1);
  const token = tokens[0]!;
  expect((await first.getAs(token, '/api/v1/test')).status).toBe(200);
  expect((await first.getAs(null, '/api/v1/test')).status).toBe(401);
  await first.stop();
  expect(first.stdout).not.toMatch(TOKEN);

  const second = await services.start({ DATA_DIR, ADMIN_TOKEN: undefined });
  expect((await second.getAs(token, '/api/v1/test')).status).toBe(200);
  await second.stop();
  expect(second.stderr).toBe('');
  expect(second.stdout).not.toMatch(TOKEN);
});

test('ADMIN_TOKEN works until it is changed', async () => {
  const DATA_DIR = await services.folder();
  const changed = `${ADMIN_TOKEN}-changed`;
  const first = await services.start({ DATA_DIR });
  expect((await first.get('/api/v1/test')).status).toBe(200);
  expect((await first.getAs(changed, '/api/v1/test')).status).toBe(401);
  await first.stop();
  expect(first.stderr).toBe('');

  const second = await services.start({ DATA_DIR, ADMIN_TOKEN: changed });
  expect((await second.getAs(ADMIN_TOKEN, '/api/v1/test')).status).toBe(401);
  expect((await second.get('/api/v1/test')).status).toBe(200);
  await second.stop();
});

test('a bad configuration is told whole, a line for each mistake', async () => {
  const DATA_DIR = await services.folder();
  const { code, stdout, stderr } = await services.run({
    DATA_DIR,
    PORT: '99999',
    LOG_LEVEL: 'loud',
    PROBE_WORKERS: 'none',
    ADMIN_TOKEN: 'much-too-short',
    DATABASE_URL: 'postgres://localhost/tocsin',
  });
  expect(code).toBe(1);
  const lines = stderr.trimEnd().split('\n');
  expect(lines.map((line) => line.split(' ', 1)[0]).toSorted()).toEqual([
    'ADMIN_TOKEN',
    'LOG_LEVEL',
    'PORT',
    'PROBE_WORKERS',
    'SECRET_KEY',
  ]);
  expect(lines.every((line) => / must be .+\.$/.test(line))).toBe(true);
  expect(stdout + stderr).not.toContain('much-too-short');
});

test('a second server on the same folder is refused, and the first goes on', async () => {
  const DATA_DIR = await services.folder();
  const first = await services.start({ DATA_DIR });
  const { code, stdout } = await services.run({ DATA_DIR });
  expect(code).toBe(1);
  expect(messagesOf(stdout)).toEqual([
    expect.stringContaining(`Another Tocsin server is already running on ${DATA_DIR}.`),
  ]);
  expect(stdout).not.toContain('    at ');
  expect((await first.get('/readyz')).status).toBe(200);
  await first.stop();
});

test('a port that is taken is said, and nothing is left running', async () => {
  const first = await services.start({ DATA_DIR: await services.folder() });
  const { code, stdout } = await services.run({
    DATA_DIR: await services.folder(),
    PORT: String(first.port),
  });
  expect(code).toBe(1);
  expect(messagesOf(stdout)).toEqual([
    expect.stringContaining(`port ${first.port} is already in use. Stop what listens there,`),
  ]);
  await first.stop();
});

function messagesOf(log: string): string[] {
  const lines = log.trimEnd().split('\n');
  return lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
}
