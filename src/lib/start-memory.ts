import module from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const FLAGS = [
  '--expose-gc',
  // By how many percent garbage may let the heap grow beyond what is in use, before it is collected.
  '--heap-growing-percent=60',
  // V8 would place objects that lived for long while the process was busy among the old ones from then on. Each of them keeps
  // what it refers to, the sockets and buffers of a check that is over, until the next full collection.
  '--no-allocation-site-pretenuring',
];

/** Ends the start of a thread: stores its compiled modules, so that the next start need not compile them, and collects its garbage. */
export function endStartOfThread(): void {
  module.flushCompileCache();
  collectStartOfThread();
}

/**
 * Collects the garbage of the start of a thread, whose pages would otherwise stay with the process. From then on garbage is
 * collected before the heap has grown to a multiple. Takes the time of a full collection.
 */
export function collectStartOfThread(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
  const collect = runInNewContext('gc') as (options: object) => void;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
