import { vi } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { silentLog } from '../../src/lib/log.ts';
import { build } from '../../src/main/build.ts';
import { NETWORK } from '../../src/main/outside.ts';
import { start } from '../../src/main/run.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { DAY_MS } from '../../src/store/engine/results.ts';
import { fillDemo } from '../demo/fill.ts';
import { readApiBodies } from './api-bodies.ts';
import { giveToken } from './people.ts';
import { updateRows } from './rows.ts';

/** A database goes on with its own time, which this process is not to follow. */
const STANDING_STILL = { ...NETWORK, followDatabaseClock: async () => ({ stop: () => {} }) };

/** Fills a database with 90 days of the demo's team. @returns a token of its owner. */
export async function fillForAnswers(
  database: Database,
  key: string,
  now: number,
): Promise<string> {
  const demo = await fillDemo(database, { now, seed: 1, password: 'correct horse', keys: [key] });
  const holder = { personId: demo.people[0]!.id, teamId: demo.teamId };
  const token = await giveToken(database, holder, { now });
  // So that reading the answers changes none of them.
  const match = { team_id: demo.teamId, name: 'test' };
  await updateRows(database, 'token', { last_used_at: now }, match);
  return token;
}

/** Starts the program, paused and at a time that stands still, and reads what its API answers. */
export async function answersOf(
  environment: Record<string, string>,
  token: string,
  now: number,
): Promise<Map<string, string>> {
  vi.useFakeTimers({ toFake: ['Date'], now });
  const { config, errors } = readConfig({
    PORT: '0',
    HOST: '127.0.0.1',
    BASE_URL: 'http://tocsin.example',
    RATE_LIMITS: 'off',
    PAUSED: 'true',
    ...environment,
  });
  if (errors) throw new Error(errors.join('\n'));
  const { address, stop } = await start(await build(config, silentLog, STANDING_STILL));
  try {
    const [from, to] = [now - 20 * DAY_MS, now - DAY_MS].map((at) => new Date(at).toISOString());
    return await readApiBodies(
      { url: `http://127.0.0.1:${address.port}` },
      token,
      `from=${from}&to=${to}`,
    );
  } finally {
    await stop();
    vi.useRealTimers();
  }
}
