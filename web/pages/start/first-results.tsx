import { useCallback, useState, type ReactNode } from 'react';
import { useRead } from '../../app/api.ts';
import { BASE } from '../../app/place.ts';
import { usePlaces } from '../../app/regions.ts';
import { useLiveEvents, useWatched } from '../../app/live.ts';
import type { LiveEvent } from '../../app/live-changes.ts';
import { getMonitor, listMonitorResults } from '../../client/sdk.gen.ts';
import type { Monitor, ResultEvent } from '../../client/types.gen.ts';
import { milliseconds } from '../../lib/format.ts';
import { monitorName } from '../../lib/monitor-name.ts';
import { Copyable } from '../../parts/copy.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { words } from '../../words/index.ts';
import { firstAnswer, rowsOf, type FirstRow } from './first-rows.ts';

/** Time between reads while the first result is awaited, in milliseconds: the stream may come later than it. */
const READ_EVERY_MS = 2_000;

/** A row for each region, filled as the first results arrive. */
export function FirstResults({ monitor }: { monitor: Monitor }): ReactNode {
  const { id } = monitor;
  const [event, setEvent] = useState<ResultEvent['data'] | null>(null);
  useWatched(id);
  useLiveEvents(
    useCallback(
      ({ kind, data }: LiveEvent) => {
        if (kind === 'result' && data['monitor_id'] === id)
          setEvent(data as unknown as ResultEvent['data']);
      },
      [id],
    ),
  );
  const [isKnown, setKnown] = useState(false);
  const stored = useRead(
    ['monitor', id, 'first'],
    () => listMonitorResults({ path: { id }, query: { per_page: 20 } }),
    isKnown ? {} : { refetchInterval: READ_EVERY_MS },
  );
  const rows = rowsOf(monitor.monitored_regions, stored.data?.data ?? [], event);
  const { standing, isComplete } = firstAnswer(rows);
  if (isComplete && !isKnown) setKnown(true);
  const places = usePlaces();
  const machine = places.onlyMachine(monitor.monitored_regions ?? []);
  const name = monitorName(monitor);
  return (
    <>
      <PageHead
        standing={standing}
        title={words.start.heads[standing](name)}
        tabTitle={words.start.title}
        text={
          machine === null ? (
            words.start.checkedEvery
          ) : (
            <>
              {words.start.onePlace(machine, rows.length)}{' '}
              <a className="link" href={`${BASE}/docs#listRegions`}>
                {words.start.secondPlace}
              </a>
            </>
          )
        }
      />
      <section className="card st-rows" role="status" aria-label={words.start.firstResults}>
        <ul className="rows">
          {rows.map((row) => (
            <Row key={row.region} row={row} name={places.checkOf(row.region)} />
          ))}
        </ul>
      </section>
    </>
  );
}

function Row({
  row: { standing, ms, code, text },
  name,
}: {
  row: FirstRow;
  name: string;
}): ReactNode {
  return (
    <li className={standing === 'pending' ? '' : 'changed'}>
      <StatusShape standing={standing} />
      <span>{name}</span>
      <span className={standing === 'offline' ? 't down' : 't'}>
        {standing === 'pending'
          ? words.check.waiting
          : [
              text ?? (code === null ? words.status[standing] : String(code)),
              ms === null ? '' : `${milliseconds(ms, words.time.locale)} ms`,
            ]
              .filter(Boolean)
              .join(' · ')}
      </span>
    </li>
  );
}

/** URL that a job calls, and whether it has. */
export function FirstPing({ monitor }: { monitor: Monitor }): ReactNode {
  const { id } = monitor;
  useWatched(id);
  const read = useRead(['monitor', id], () => getMonitor({ path: { id } }));
  const hasCalled = (read.data?.last_heartbeat_at ?? null) !== null;
  return (
    <>
      <PageHead
        standing={hasCalled ? 'online' : 'pending'}
        title={hasCalled ? words.start.jobCalled : words.start.jobWaits}
        tabTitle={words.start.title}
        text={words.start.jobText}
      />
      <section className="card st-rows pad">
        <Copyable label={words.start.jobLine} text={`curl -fsS ${monitor.ping_url ?? ''}`} />
      </section>
    </>
  );
}
