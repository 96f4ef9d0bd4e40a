import { findMonitor } from '../../store/resources/monitors.ts';
import { finderOf } from '../common/find.ts';

/** A monitor of the caller's team. Throws `not_found` for deleted monitors and those of other teams. */
export const requireMonitor = finderOf('monitor', findMonitor);
