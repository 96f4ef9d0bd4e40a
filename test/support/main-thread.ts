import { setImmediate } from 'node:timers/promises';

/** CPU time in milliseconds that a loop of fixed length takes on an idle core of the machine that limits are for. */
const NOMINAL_MS = 18;

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** CPU time of the loop here and now: a busy or slow machine takes longer for all work alike. */
function calibrate(): number {
  const begin = cpuMs();
  let sum = 0;
  for (let index = 0; index < 5_000_000; index++) sum = (sum * 31 + index) % 1_000_003;
  return sum < 0 ? 0 : cpuMs() - begin;
}

/**
 * Longest time in milliseconds for which work keeps this thread from everything else, as CPU time between two turns of the
 * event loop, on a machine of nominal speed. The least of five runs counts, so that compiling and collecting garbage of others do not.
 */
export async function mainThreadMs(work: () => unknown): Promise<number> {
  const runs: number[] = [];
  for (let run = 0; run < 5; run++) {
    const scale = NOMINAL_MS / Math.max(NOMINAL_MS, calibrate());
    runs.push((await longestTurn(work)) * scale);
  }
  return Math.min(...runs);
}

async function longestTurn(work: () => unknown): Promise<number> {
  const state = { isOver: false };
  let longest = 0;
  const watch = async () => {
    let since = cpuMs();
    do {
      await setImmediate();
      const now = cpuMs();
      longest = Math.max(longest, now - since);
      since = now;
    } while (!state.isOver);
  };
  const watched = watch();
  await setImmediate();
  try {
    await work();
  } catch {
    // Refused inputs count as well.
  }
  state.isOver = true;
  await watched;
  return longest;
}
