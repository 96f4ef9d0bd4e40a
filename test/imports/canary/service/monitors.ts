import { phase } from '../schedule/phase.ts';
import { scheduler } from '../schedule/scheduler.ts';
export const monitors = [phase, scheduler];
