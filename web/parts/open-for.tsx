import { useSummary } from '../app/overview.ts';
import type { Incident } from '../app/api.gen.ts';
import { words } from '../words/index.ts';
import { Since } from './time.tsx';

/**
 * How long an incident is open; while its monitor is not observed, how long it was when it last was. Nothing is known of the
 * time in which the monitor is paused.
 */
export function OpenFor({
  incident: { started_at, monitor_id },
}: {
  incident: Pick<Incident, 'started_at' | 'monitor_id'>;
}) {
  const { summary } = useSummary(monitor_id);
  if (summary?.is_paused === true) return words.status.paused.toLowerCase();
  const until = summary?.observed_until;
  return <Since time={started_at} until={until === undefined ? null : until * 1_000} />;
}
