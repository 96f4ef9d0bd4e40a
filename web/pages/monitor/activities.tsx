import { useState, type ReactNode } from 'react';
import type { MonitorDetail } from '../../client/types.gen.ts';
import { Card } from '../../parts/card.tsx';
import { Waiting } from '../../parts/failure.tsx';
import { Paging } from '../../parts/paging.tsx';
import { DayTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { useActivities } from './reads.ts';

const PER_PAGE = 5;

/** Changes of the records and of the certificate. */
export function ActivitiesCard({ monitor }: { monitor: MonitorDetail }): ReactNode {
  const [page, setPage] = useState(1);
  const { data } = useActivities(monitor.id, page, PER_PAGE);
  return (
    <Card title={words.monitor.activities.title}>
      {data === undefined ? (
        <Waiting lines={2} />
      ) : data.total === 0 ? (
        <p className="mo-none">{words.monitor.activities.none}</p>
      ) : (
        <>
          <ul className="mo-changes">
            {data.data.map(({ id, description, created_at }) => (
              <li key={id}>
                {description}
                <div className="xs faint">
                  <DayTime time={created_at} />
                </div>
              </li>
            ))}
          </ul>
          <Paging page={page} last={data.last_page} onChange={setPage} />
        </>
      )}
    </Card>
  );
}
