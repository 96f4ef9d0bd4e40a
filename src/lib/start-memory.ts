import module from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** By how many percent the garbage may let the heap of a thread grow beyond what is in use, before it is collected. */
const HEAP_GROWTH_PERCENT = 60;

/**
 * Ends the start of a thread: stores its compiled modules, so that the next start need not compile them, and collects the
 * garbage of the start, whose pages would otherwise stay with the process. From then on V8 collects before the heap has
 * grown to a multiple, as it would let it. Takes the time of a full collection.
 */
export function endStartOfThread(): void {
  module.flushCompileCache();
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
