import { createChildJobs, JobEnded } from '../../lib/child-jobs.ts';
import type { ReadAnswer, ReadRequest } from './program.ts';

/** Files of the largest allowed size, with all that their aliases repeat. */
const HEAP_MIB = 1_024;
const DEADLINE_MS = 60_000;

/** Reads folders of configuration files in a child process. */
export function createFolderReader() {
  const program = new URL('./program.ts', import.meta.url);
  const jobs = createChildJobs<ReadRequest, ReadAnswer>({
    program,
    heapMiB: HEAP_MIB,
    deadlineMs: DEADLINE_MS,
  });
  return {
    async read(request: ReadRequest): Promise<ReadAnswer> {
      try {
        // It belongs to no team; there is one folder.
        return await jobs.run(0, request);
      } catch (error) {
        if (!(error instanceof JobEnded)) throw error;
        const message = 'The files took too much time or memory to read. Divide them into sets.';
        return { errors: [{ file: request.folder, line: 1, column: 1, message }] };
      }
    },
    stop: () => jobs.stop(),
  };
}
