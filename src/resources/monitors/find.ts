import { findMonitor, findMonitorId } from '../../store/resources/monitors.ts';
import { finderOf } from '../common/find.ts';

/** A monitor of the caller's team. Throws `not_found` for deleted monitors and those of other teams. */
export const requireMonitor = finderOf('monitor', findMonitor);

/** Makes sure that a monitor is one of the caller's team, without reading it. Throws `not_found` as above. */
export const requireMonitorId = finderOf('monitor', findMonitorId);
