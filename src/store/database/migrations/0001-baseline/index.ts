import type { Engine } from '../../dialect.ts';
import { alertTables } from './alerts.ts';
import { incidentCounts } from './incident-counts.ts';
import { installationTables } from './installation.ts';
import { liveChanges } from './live-changes.ts';
import { monitorTables } from './monitors.ts';
import { peopleTables } from './people.ts';
import { statusPageTables } from './status-pages.ts';

/**
 * The tables of the first release. Rows of monitors that go (state, spans, incidents, roll-ups) carry no foreign keys:
 * retention purges them in slices, and a cascade over millions of rows would hold the writer.
 */
export function baseline(engine: Engine): string[] {
  return [
    ...installationTables(engine),
    ...peopleTables(engine),
    ...monitorTables(engine),
    ...incidentCounts(engine),
    ...alertTables(engine),
    ...statusPageTables(engine),
    ...liveChanges(engine),
  ];
}
