import type { ReactNode } from 'react';
import { useLastObserved } from '../app/overview.ts';
import type { Incident } from '../client/types.gen.ts';
import { Since } from './time.tsx';

/** How long an incident is open; while its monitor is not observed, how long it was when it last was. */
export function OpenFor({
  incident: { started_at, monitor_id },
}: {
  incident: Pick<Incident, 'started_at' | 'monitor_id'>;
}): ReactNode {
  return <Since time={started_at} until={useLastObserved(monitor_id)} />;
}
