import { parentPort } from 'node:worker_threads';
import { runSimulation } from './run.ts';

/** A worker thread that runs the world of each seed it receives and replies with the outcome. */
parentPort!.on('message', async (seed: number) => {
  try {
    parentPort!.postMessage(await runSimulation(seed));
  } catch (error) {
    // An uncaught exception of the thread reaches its parent.
    setImmediate(() => {
      throw new Error(`The world of seed ${seed} threw an error.`, { cause: error });
    });
  }
});
