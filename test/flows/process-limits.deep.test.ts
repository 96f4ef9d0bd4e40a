import { describe, expect, test, vi } from 'vitest';
import { freshPostgres, postgres } from '../support/databases.ts';
import { useServices, type Service } from '../support/service.ts';

vi.setConfig({ testTimeout: 60_000 });

const services = useServices();
const LIMITS = { RATE_LIMITS: 'on', RATE_LIMIT_STANDARD: '3', RATE_LIMIT_ANONYMOUS: '2' };

async function ask(service: Service, token?: null): Promise<[number, string | null]> {
  const path = '/api/v1/test';
  const { status, headers } = await (token === null
    ? service.getAs(null, path)
    : service.get(path));
  return [status, headers.get('x-ratelimit-remaining')];
}

describe.skipIf('missing' in postgres)('on Postgres', () => {
  test('two processes count together [5.19]', async () => {
    const { place, remove } = await freshPostgres();
    services.use({ close: remove });
    const settings = { DATABASE_URL: place, SECRET_KEY: 'a key for the process tests', ...LIMITS };
    const first = await services.start({ ...settings, DATA_DIR: await services.folder() });
    const second = await services.start({ ...settings, DATA_DIR: await services.folder() });
    const seen = [await ask(first), await ask(second), await ask(first), await ask(second)];
    expect(seen).toEqual([
      [200, '2'],
      [200, '1'],
      [200, '0'],
      [429, '0'],
    ]);
    await second.stop();
    await first.stop();
  });
});
