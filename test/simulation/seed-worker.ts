import { parentPort } from 'node:worker_threads';
import { runSimulation } from './run.ts';

/** A thread that runs the worlds whose seeds it is sent, one by one, and answers each with its outcome. */
parentPort!.on('message', async (seed: number) => {
  try {
    parentPort!.postMessage(await runSimulation(seed));
  } catch (error) {
    // As an exception of the thread it reaches whoever started it.
    setImmediate(() => {
      throw new Error(`The world of seed ${seed} broke.`, { cause: error });
    });
  }
});
