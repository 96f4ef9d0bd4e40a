export type { MonitorOverview as Overview, OverviewMonitor } from '../../client/types.gen.ts';
