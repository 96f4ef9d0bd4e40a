import type { ReactNode } from 'react';
import type { MonitorDetail, Region, Result } from '../../client/types.gen.ts';
import { useLastObserved } from '../../app/overview.ts';
import { usePlaces, useRegions } from '../../app/regions.ts';
import { Card } from '../../parts/card.tsx';
import { Cause } from '../../parts/cause.tsx';
import { Failure, Waiting } from '../../parts/failure.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { inMilliseconds, PhaseBar, PhaseLegend, scaleOf } from '../../parts/phases.tsx';
import { useResults } from './reads.ts';
import { newestByRegion } from './newest.ts';

/** Enough results that the newest of each region is among them. */
const NEWEST_RESULTS = 40;

const STANDING = { up: 'online', down: 'offline', unknown: 'unknown' } as const;

/** What each region saw last. */
export function RegionsCard({ monitor }: { monitor: MonitorDetail }): ReactNode {
  const { id, monitored_regions } = monitor;
  const regions = useRegions().data?.data;
  const { data, error, refetch } = useResults(id, 1, NEWEST_RESULTS);
  const newest = newestByRegion(monitored_regions, data?.data ?? []);
  const places = usePlaces();
  const place = places.onlyMachine(monitored_regions);
  const isObserved = useLastObserved(id) === null;
  const scale = scaleOf(newest.flatMap(({ result }) => (result ? [result.timings] : [])));
  return (
    <Card title={words.monitor.regionResults.title} aside={<PhaseLegend />}>
      {error && data === undefined ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Waiting lines={4} />
      ) : (
        <>
          {place !== null && (
            <p className="notice mo-notice">{words.monitor.regionResults.onePlace(place)}</p>
          )}
          <ScrollRegion label={words.monitor.tableOf(words.monitor.regionResults.title)}>
            <table className="mo-results">
              <thead>
                <tr>
                  <th scope="col">{words.monitor.regionResults.region}</th>
                  <th scope="col">{words.monitor.regionResults.answer}</th>
                  <th scope="col" className="wide mo-phases-head">
                    {words.monitor.regionResults.phases}
                  </th>
                  <th scope="col" className="r">
                    {words.monitor.regionResults.total}
                  </th>
                  <th scope="col" className="r wide">
                    {words.monitor.regionResults.seen}
                  </th>
                </tr>
              </thead>
              <tbody>
                {newest.map(({ region, result }) => (
                  <Row
                    key={region}
                    {...{ region, result, regions, scale, isObserved }}
                    name={places.checkOf(region)}
                  />
                ))}
              </tbody>
            </table>
          </ScrollRegion>
        </>
      )}
    </Card>
  );
}

function Row({
  region,
  result,
  regions,
  scale,
  isObserved,
  name,
}: {
  region: string;
  name: string;
  result: Result | null;
  regions: readonly Region[] | undefined;
  scale: number;
  /** False when the newest results say nothing of now. */
  isObserved: boolean;
}): ReactNode {
  const isLive = regions?.find(({ code }) => code === region)?.is_live ?? true;
  const vote = isObserved ? result?.vote : 'unknown';
  const standing = result === null || vote === undefined ? 'pending' : STANDING[vote];
  const total = result === null ? null : (result.response_time ?? result.timings.total_ms);
  return (
    <tr>
      <th scope="row" className="mo-row">
        <span className="cell">
          <StatusShape standing={standing} />
          {name}
        </span>
      </th>
      <td>
        {result === null ? (
          <span className="faint">{words.monitor.regionResults.noResult}</span>
        ) : (
          <Answer result={result} />
        )}
        {!isLive && <div className="xs faint">{words.monitor.regionResults.notLive}</div>}
      </td>
      <td className="wide">
        {result === null ? (
          <span className="faint">–</span>
        ) : (
          <PhaseBar times={result.timings} scale={scale} />
        )}
      </td>
      <td className="r">{total === null ? '–' : inMilliseconds(total)}</td>
      <td className="r faint wide">
        {result === null ? '–' : <RelativeTime time={result.checked_at} />}
      </td>
    </tr>
  );
}

/** What a check got, in a few words. */
export function Answer({
  result,
}: {
  result: Pick<Result, 'vote' | 'error' | 'status_code'>;
}): ReactNode {
  const { vote, error, status_code } = result;
  return (
    <span className={vote === 'unknown' ? 'dim mo-answer' : 'mo-answer'}>
      {error !== null ? (
        <Cause>{error}</Cause>
      ) : status_code === null ? (
        words.monitor.reached
      ) : (
        words.monitor.answered(status_code)
      )}
      {vote === 'unknown' && (
        <span className="xs faint mo-line">{words.monitor.regionResults.unknownVote}</span>
      )}
    </span>
  );
}
