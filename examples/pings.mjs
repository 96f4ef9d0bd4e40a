// Reports the runs of a job to Tocsin. Node 20 or newer, nothing to install.
//
//     import { withPings } from './pings.mjs';
//
//     await withPings(process.env.PING_URL, async () => {
//       await backUp();
//     });

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Returns what the job returns, and throws what it throws. If Tocsin can't be reached, it prints a warning, after at most
 * 5 seconds before the job and 20 after it.
 */
export async function withPings(pingUrl, job) {
  const rid = randomUUID();
  await ping(`${pingUrl}/start?rid=${rid}`, { tries: 1 });
  try {
    const result = await job();
    await ping(`${pingUrl}?rid=${rid}`, { tries: 3 });
    return result;
  } catch (error) {
    await ping(`${pingUrl}/fail?rid=${rid}`, { tries: 3, body: String(error?.stack ?? error) });
    throw error;
  }
}

async function ping(url, { tries, body }) {
  for (let left = tries - 1; ; left -= 1) {
    try {
      const response = await fetch(url, { method: 'POST', body, signal: AbortSignal.timeout(5_000) });
      await response.body?.cancel();
      if (response.ok) return;
      if (response.status < 500 || left === 0) return warn(`it answered ${response.status}`);
    } catch (error) {
      if (left === 0) return warn(error.cause?.code ?? error.name);
    }
    await pause(2_000);
  }
}

// Some error texts contain the URL, which is a secret.
function warn(why) {
  console.warn(`Tocsin was not told of this run: ${why}.`);
}
