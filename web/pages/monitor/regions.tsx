import { useRead } from '../../app/api.ts';
import { call, type MonitorDetail, type Region, type Result } from '../../app/client.ts';
import { useLastObserved } from '../../app/overview.ts';
import { usePlaces, useRegions } from '../../app/regions.ts';
import { VOTE_STATUS } from '../../lib/display-status.ts';
import { Cause } from '../../parts/cause.tsx';
import { Card, Loading } from '../../parts/page.tsx';
import { inMilliseconds, PhaseBar, PhaseLegend, scaleOf } from '../../parts/phases.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { newestByRegion } from './rules.ts';

/** Enough results that the newest of each region is among them. */
const NEWEST_RESULTS = 40;

/** What each region saw last. */
export function RegionsCard({ monitor }: { monitor: MonitorDetail }) {
  const { id, monitored_regions } = monitor;
  const regions = useRegions().data?.data;
  const read = useRead(['monitor', id, 'results', 1, NEWEST_RESULTS], () =>
    call('listMonitorResults', { path: { id }, query: { page: 1, per_page: NEWEST_RESULTS } }),
  );
  const { data } = read;
  const newest = newestByRegion(monitored_regions, data?.data ?? []);
  const places = usePlaces();
  const place = places.onlyMachine(monitored_regions);
  const isObserved = useLastObserved(id) === null;
  const scale = scaleOf(newest.flatMap(({ result }) => (result ? [result.timings] : [])));
  return (
    <Card title={words.monitor.regionResults.title} aside={<PhaseLegend />}>
      {data === undefined ? (
        <Loading reads={[read]} lines={4} />
      ) : (
        <>
          {place !== null && (
            <p className="notice mo-notice">{words.monitor.regionResults.onePlace(place)}</p>
          )}
          <ScrollRegion label={words.monitor.tableOf(words.monitor.regionResults.title)}>
            <table className="mo-results">
              <TableHead
                columns={[
                  words.labels.region,
                  words.monitor.regionResults.answer,
                  { text: words.labels.phases, className: 'wide mo-phases-head' },
                  { text: words.monitor.regionResults.total, className: 'r' },
                  { text: words.labels.seen, className: 'r wide' },
                ]}
              />
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
}) {
  const isLive = regions?.find(({ code }) => code === region)?.is_live ?? true;
  const vote = isObserved ? result?.vote : 'unknown';
  const displayStatus = result === null || vote === undefined ? 'pending' : VOTE_STATUS[vote];
  const total = result === null ? null : (result.response_time ?? result.timings.total_ms);
  return (
    <tr>
      <th scope="row" className="mo-row">
        <span className="cell">
          <StatusShape displayStatus={displayStatus} />
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
export function Answer({ result }: { result: Pick<Result, 'vote' | 'error' | 'status_code'> }) {
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
