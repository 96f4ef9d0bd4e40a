import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the range from which Linux takes ports for servers and clients that name none. */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;

/** Finds TCP ports on which nothing listens, and which no other test is given. */
export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  while (found.size < count) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT));
    if (await isFree(port)) found.add(port);
  }
  return [...found];
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port), 'listening');
  } catch {
    return false;
  }
  await once(server.close(), 'close');
  return true;
}
