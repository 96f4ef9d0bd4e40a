import type { MonitorDetail } from '../app/api.gen.ts';

export type MonitorType = MonitorDetail['monitor_type'];

/** What pages and forms show of a type, besides its words (`monitorForm.types`). */
interface TypeFace {
  /** Whether a job calls, rather than being checked from regions. */
  isPush: boolean;
  /** Whether it is a website: with a URL to open, phases, content, a request and TLS. */
  isWeb: boolean;
  /** Whether its target has a port. */
  hasPort: boolean;
  /** How a job says when it runs; null for what is checked. */
  schedule: 'interval' | 'cron' | null;
}

const CHECKED: TypeFace = { isPush: false, isWeb: false, hasPort: false, schedule: null };

/** All types, in the order in which they are offered. */
const FACES: Readonly<Record<MonitorType, TypeFace>> = {
  http: { ...CHECKED, isWeb: true },
  ping: CHECKED,
  port: { ...CHECKED, hasPort: true },
  heartbeat: { ...CHECKED, isPush: true, schedule: 'interval' },
  cron: { ...CHECKED, isPush: true, schedule: 'cron' },
};

/** Type of the incidents of a job that did not report in time, or failed. */
export const JOB_INCIDENT = 'heartbeat';

export const TYPE_NAMES = Object.keys(FACES) as MonitorType[];

/** The face of a type; of one that is newer than this page, that of a target that is checked. */
export function faceOf(type: MonitorType): TypeFace {
  return (FACES as Partial<typeof FACES>)[type] ?? CHECKED;
}
