import { noAlertLooks } from './alerts/looks.ts';
import type { AlertLooks } from './alerts/looks.ts';
import type { Looks } from './expectations.ts';
import { noHistoryLooks } from './history/looks.ts';
import type { HistoryLooks } from './history/looks.ts';
import { noMaintenanceLooks } from './maintenance/looks.ts';
import type { MaintenanceLooks } from './maintenance/looks.ts';
import { noPairLooks } from './processes/rules.ts';
import type { PairLooks } from './processes/rules.ts';
import { noPushLooks } from './push/looks.ts';
import type { PushLooks } from './push/looks.ts';

/** How often each rule had something to look at. */
export type AllLooks = Looks & PushLooks & AlertLooks & HistoryLooks & MaintenanceLooks & PairLooks;

export function noLooks(): AllLooks {
  return {
    ...noPushLooks(),
    ...noAlertLooks(),
    ...noHistoryLooks(),
    ...noMaintenanceLooks(),
    ...noPairLooks(),
    down: 0,
    regional: 0,
    up: 0,
    slow: 0,
    pace: 0,
    prompt: 0,
    paused: 0,
    away: 0,
    partition: 0,
    good: 0,
    anew: 0,
    wrongContent: 0,
    rightContent: 0,
    halved: 0,
    whole: 0,
    inspectedBad: 0,
    inspectedGood: 0,
    inspectedInnocent: 0,
    inspectedInTime: 0,
  };
}
