import type { IncidentType } from '../model/condition.ts';
import type { IncidentChange } from '../model/incident.ts';

const NAMES: Record<IncidentType, string> = {
  uptime: 'outage',
  regional: 'regional trouble',
  slow_response: 'slow response',
};

export interface ActivityText {
  type: 'opened' | 'resolved';
  description: string;
}

/** The line that a change adds to the incident's log, for people. */
export function activityOf(change: IncidentChange): ActivityText {
  if (change.kind === 'open') {
    const origin = change.from
      ? `The ${NAMES[change.from]} became an ${article(change.type)}: `
      : '';
    return { type: 'opened', description: `${origin}${change.rootCause}.` };
  }
  switch (change.reason) {
    case 'recovered':
      return { type: 'resolved', description: 'The monitor recovered.' };
    case 'switched_off':
      return {
        type: 'resolved',
        description: `The check for ${NAMES[change.type]} was switched off.`,
      };
    case 'changed_over':
      return { type: 'resolved', description: `It became an ${article(change.into ?? 'uptime')}.` };
  }
}

function article(type: IncidentType): string {
  return type === 'uptime' ? NAMES.uptime : `incident of ${NAMES[type]}`;
}
