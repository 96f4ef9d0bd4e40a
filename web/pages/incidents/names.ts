import type { Places } from '../../app/regions.ts';
import type { Incident } from '../../app/api.gen.ts';
import type { DisplayStatus } from '../../lib/display-status.ts';
import { monitorName } from '../../lib/monitor-name.ts';
import { displayStatusOfSeverity } from '../../lib/severity.ts';
import { causeText } from '../../parts/cause.tsx';
import { words } from '../../words/index.ts';

/** Sentence that names an incident: the monitor, and what is wrong with it. */
export function incidentTitle({ monitor, root_cause }: Incident): string {
  const cause = root_cause === null ? words.incidents.causeUnknown : causeText(root_cause);
  return words.labels.incidentLine(monitorName(monitor), cause);
}

/** Shape of an incident: down or degraded while it is open, up when it is over. */
export function incidentDisplayStatus({ status, severity }: Incident): DisplayStatus {
  return status === 'resolved' ? 'online' : displayStatusOfSeverity(severity);
}

/** What kind of incident it is, in a line of small words. */
export function incidentKind({ type, severity, region }: Incident, places: Places): string {
  return [words.incidents.types[type], words.incidents.severities[severity], places.checkOf(region)]
    .filter(Boolean)
    .join(' · ');
}
