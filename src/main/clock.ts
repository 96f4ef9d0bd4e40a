import { systemClock } from '../lib/clock.ts';
import { createCorrectedClock } from '../lib/corrected-clock.ts';

/** Clock of this process: the machine's, unless that differs from the clock of a database that processes share. */
export const clock = createCorrectedClock(systemClock);
