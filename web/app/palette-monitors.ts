import { checkAll, maintainAll, pauseAll, resumeAll } from '../pages/monitors/bulk-actions.ts';
import type { Row } from '../pages/monitors/rows.ts';
import type { IconName } from '../parts/icon.tsx';
import { attempt, showToast } from '../parts/toast.tsx';
import { words } from '../words/index.ts';
import { reread } from './api.ts';
import { call } from './client.ts';
import { verbsFor, type Verb } from './palette-actions.ts';

const HOUR_MS = 3_600_000;

export const VERB_ICONS: Record<Verb, IconName> = {
  acknowledge: 'check',
  check: 'refresh',
  silence: 'maintenance',
  pause: 'pause',
  resume: 'play',
};

/** What can be done with a monitor from the palette. */
export function verbsOf({ monitor, displayStatus }: Row): Verb[] {
  const { schedule, incident } = monitor;
  return verbsFor({
    isPaused: displayStatus === 'paused',
    isPush: schedule !== undefined,
    hasUnacknowledged: incident !== undefined && incident.acknowledged_at === undefined,
  });
}

/** Does it, and says what happened. */
export function runVerb(verb: Verb, row: Row, zone: string): Promise<void> {
  const rows = [row];
  return attempt(async () => {
    if (verb === 'acknowledge') await acknowledge(row);
    else if (verb === 'check') await checkAll(rows);
    else if (verb === 'pause') await pauseAll(rows);
    else if (verb === 'resume') await resumeAll(rows);
    else
      await maintainAll(rows, {
        name: words.nav.maintenance,
        endsAt: Date.now() + HOUR_MS,
        zone,
      });
  });
}

async function acknowledge({ monitor: { name, incident } }: Row): Promise<void> {
  if (incident === undefined) return;
  await call('acknowledgeIncident', { path: { id: incident.id } });
  await reread('monitors', 'incidents', 'incident', 'monitor');
  showToast(words.palette.acknowledged(name));
}
