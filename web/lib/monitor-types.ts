import { MONITOR_TYPES } from '../app/monitor-types.gen.ts';

export type MonitorType = keyof typeof MONITOR_TYPES;

/** All types, in the order in which they are offered. */
export const TYPE_NAMES = Object.keys(MONITOR_TYPES) as MonitorType[];

/** How a type is offered, in each language. */
export interface TypeWords {
  name: string;
  text: string;
  /** What its target is called, and one; none where a job calls. */
  target?: string;
  example?: string;
}

/** Type of the incidents of a job that did not report in time, or failed. */
export const JOB_INCIDENT = 'heartbeat';

interface TypeFacts {
  /** Groups of fields that it takes. */
  takes: readonly string[];
  checkTypes: readonly string[];
  /** Defaults of its own. */
  defaults?: Readonly<Record<string, unknown>>;
}

const CHECKED: TypeFacts = { takes: ['pull'], checkTypes: [] };

/** What pages and forms ask of a type; of one that is newer than this page, what holds for targets that are checked. */
export function faceOf(type: MonitorType) {
  const facts = (MONITOR_TYPES as Partial<Record<MonitorType, TypeFacts>>)[type] ?? CHECKED;
  const takes = (group: string) => facts.takes.includes(group);
  return {
    ...facts,
    /** Whether a job calls, rather than being checked from regions. */
    isPush: takes('push'),
    /** Whether its job calls every so often, rather than at the times of an expression. */
    isByInterval: takes('heartbeat'),
    /** Whether it is a website: with a URL to open, phases, content, a request and TLS. */
    isWeb: takes('http'),
  };
}
