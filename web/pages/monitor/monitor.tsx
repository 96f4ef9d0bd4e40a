import { lazy, Suspense, type ReactNode } from 'react';
import { useParams } from 'wouter';
import { useWatched } from '../../app/live.ts';
import { useSummary } from '../../app/overview.ts';
import type { MonitorDetail } from '../../client/types.gen.ts';
import { Failure, NotFound, Waiting } from '../../parts/failure.tsx';
import { PullMonitor } from './pull.tsx';
import { useMonitor } from './reads.ts';
import { whenReachable } from '../../lib/when-reachable.ts';

const PushMonitor = lazy(whenReachable(() => import('./push.tsx')));

/** One monitor: how is it, how was it? For a job: did it run? */
export default function MonitorPage(): ReactNode {
  const id = Number(useParams<{ id: string }>().id);
  return Number.isInteger(id) && id > 0 ? <Read id={id} /> : <NotFound />;
}

function Read({ id }: { id: number }): ReactNode {
  const { data, error, refetch } = useMonitor(id);
  const { isPending: isSummaryPending } = useSummary(id);
  // A monitor that was deleted meanwhile is gone; after any other error what was read stays.
  if (error && (data === undefined || error.status === 404))
    return <Failure error={error} retry={() => void refetch()} />;
  // The sentence of the page takes from the list whether there is maintenance.
  if (data === undefined || isSummaryPending) return <Waiting lines={8} />;
  return <Watched monitor={data} />;
}

/** Asks the live stream for results only of a monitor that exists: it refuses others. */
function Watched({ monitor }: { monitor: MonitorDetail }): ReactNode {
  useWatched(monitor.id);
  if (monitor.monitor_type !== 'heartbeat' && monitor.monitor_type !== 'cron')
    return <PullMonitor monitor={monitor} />;
  return (
    <Suspense fallback={<Waiting lines={8} />}>
      <PushMonitor monitor={monitor} />
    </Suspense>
  );
}
