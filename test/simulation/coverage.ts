import { noAlertCoverage } from './alerts/coverage.ts';
import type { AlertCoverage } from './alerts/coverage.ts';
import type { MonitorCoverage } from './stable-periods.ts';
import { noHistoryCoverage } from './history/coverage.ts';
import type { HistoryCoverage } from './history/coverage.ts';
import { noMaintenanceCoverage } from './maintenance/coverage.ts';
import type { MaintenanceCoverage } from './maintenance/coverage.ts';
import { noPairCoverage } from './processes/rules.ts';
import type { PairCoverage } from './processes/rules.ts';
import { noPushCoverage } from './push/coverage.ts';
import type { PushCoverage } from './push/coverage.ts';

/** How often each rule had something to look at. */
export type RuleCoverage = MonitorCoverage &
  PushCoverage &
  AlertCoverage &
  HistoryCoverage &
  MaintenanceCoverage &
  PairCoverage;

export function noCoverage(): RuleCoverage {
  return {
    ...noPushCoverage(),
    ...noAlertCoverage(),
    ...noHistoryCoverage(),
    ...noMaintenanceCoverage(),
    ...noPairCoverage(),
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
    confirmedAfterManualAction: 0,
    wrongContent: 0,
    rightContent: 0,
    singleFamily: 0,
    bothFamilies: 0,
    inspectedBad: 0,
    inspectedGood: 0,
    inspectedInnocent: 0,
    inspectedInTime: 0,
  };
}
