import { randomBytes } from 'node:crypto';
import { openSecretKey } from '../../../src/identity/secret-key.ts';
import { openDatabase } from '../../../src/store/database/database.ts';
import { fillDemo, type Demo } from '../../demo/fill.ts';
import { addManyMonitors } from '../../demo/many.ts';
import { openDemo, type OpenedDemo } from '../../demo/open.ts';
import { freshDirectory } from '../../support/directories.ts';
import { freePorts } from '../../support/free-ports.ts';

/** Password of all members of the demo. */
export const PASSWORD = 'correct-horse-battery-9';
export const OWNER = 'ada@northwind.example';
export const VIEWER = 'dana@northwind.example';

/** A running service with the team of the demo. */
export interface ServedDemo {
  /** Its BASE_URL. */
  url: string;
  demo: Demo;
  service: OpenedDemo['service'];
  close(): Promise<void>;
}

/** Fills a temporary folder with the demo, and serves it. @param more further monitors to add, for long lists */
export async function serveDemo({ more = 0 } = {}): Promise<ServedDemo> {
  const { place, remove } = await freshDirectory();
  const keys = [await openSecretKey(place, randomBytes)];
  const database = await openDatabase({ engine: 'sqlite', directory: place });
  const now = Date.now();
  const demo = await fillDemo(database, { now, seed: 1, password: PASSWORD, keys });
  if (more > 0) await addManyMonitors(database, { teamId: demo.teamId, count: more, now });
  await database.close();
  const [port] = (await freePorts(1)) as [number];
  const environment = { RATE_LIMITS: 'off', BASE_URL: `http://localhost:${port}` };
  const { service, stop } = await openDemo({ dataDir: place, port, environment });
  // Opened pages hold event streams, which end with the service.
  const close = async () => {
    await stop();
    await remove();
  };
  return { url: environment.BASE_URL, demo, service, close };
}
