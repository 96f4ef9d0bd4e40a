import { useState, type ReactNode } from 'react';
import { usePlaces } from '../../app/regions.ts';
import type { MonitorDetail } from '../../client/types.gen.ts';
import { Failure, Waiting } from '../../parts/failure.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { Paging } from '../../parts/paging.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { DayTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { inMilliseconds } from '../../parts/phases.tsx';
import { useResults } from './reads.ts';
import { Answer } from './regions.tsx';

const PER_PAGE = 20;
const STANDING = { up: 'online', down: 'offline', unknown: 'unknown' } as const;

/** All results, opened when somebody wants to look closer. */
export function ResultsCard({ monitor }: { monitor: MonitorDetail }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <section className="card">
      <details className="mo-fold" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <h2>{words.monitor.results.title}</h2>
        </summary>
        {isOpen && <Results id={monitor.id} />}
      </details>
    </section>
  );
}

function Results({ id }: { id: number }): ReactNode {
  const [page, setPage] = useState(1);
  const places = usePlaces();
  const { data, error, refetch } = useResults(id, page, PER_PAGE);
  const { results } = words.monitor;
  if (error && data === undefined) return <Failure error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Waiting lines={6} />;
  if (data.total === 0) return <p className="mo-none">{results.none}</p>;
  return (
    <>
      <ScrollRegion label={words.monitor.tableOf(results.title)}>
        <table className="mo-results">
          <thead>
            <tr>
              <th scope="col">{results.time}</th>
              <th scope="col">{results.region}</th>
              <th scope="col">{results.answer}</th>
              <th scope="col" className="r">
                {results.total}
              </th>
            </tr>
          </thead>
          <tbody>
            {data.data.map((result) => (
              <tr key={`${result.region}${result.checked_at}${result.kind}`}>
                <th scope="row" className="mo-row mo-nowrap">
                  <DayTime time={result.checked_at} withSeconds />
                </th>
                <td>
                  <span className="cell">
                    <StatusShape standing={STANDING[result.vote]} />
                    {places.checkOf(result.region)}
                  </span>
                </td>
                <td>
                  <Answer result={result} />
                  {result.kind !== 'voted' && (
                    <div className="xs faint">{results[result.kind]}</div>
                  )}
                </td>
                <td className="r">
                  {result.response_time === null ? '–' : inMilliseconds(result.response_time)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <Paging page={page} last={data.last_page} onChange={setPage} />
    </>
  );
}
