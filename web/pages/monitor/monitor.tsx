import { lazy, Suspense } from 'react';
import { useParams } from 'wouter';
import { useRead } from '../../app/api.ts';
import { type MonitorDetail } from '../../app/client.ts';
import { useWatched } from '../../app/live.ts';
import { useSummary } from '../../app/overview.ts';
import { faceOf } from '../../lib/monitor-types.ts';
import { whenReachable } from '../../lib/when-reachable.ts';
import { isLoaded, Loading, NotFound, Waiting } from '../../parts/page.tsx';
import { PullMonitor } from './pull.tsx';

const PushMonitor = lazy(whenReachable(() => import('./push.tsx')));

/** One monitor: how is it, how was it? For a job: did it run? */
export default function MonitorPage() {
  const id = Number(useParams<{ id: string }>().id);
  return Number.isInteger(id) && id > 0 ? <Read id={id} /> : <NotFound />;
}

function Read({ id }: { id: number }) {
  const read = useRead('getMonitor', { path: { id } });
  const { isPending: isSummaryPending } = useSummary(id);
  if (!isLoaded(read)) return <Loading reads={[read]} lines={8} />;
  // The sentence of the page takes from the list whether there is maintenance.
  return isSummaryPending ? <Waiting lines={8} /> : <Watched monitor={read.data} />;
}

/** Asks the live stream for results only of a monitor that exists: it refuses others. */
function Watched({ monitor }: { monitor: MonitorDetail }) {
  useWatched(monitor.id);
  if (!faceOf(monitor.monitor_type).isPush) return <PullMonitor monitor={monitor} />;
  return (
    <Suspense fallback={<Waiting lines={8} />}>
      <PushMonitor monitor={monitor} />
    </Suspense>
  );
}
