import { systemClock, createCorrectedClock } from '../lib/clock.ts';

/** Clock of this process: the machine's, unless that differs from the clock of a database that processes share. */
export const clock = createCorrectedClock(systemClock);
