import { useEffect, useRef, useState } from 'react';
import { reread, useRead } from '../../app/api.ts';
import {
  ApiError,
  call,
  type MonitorDetail,
  type MonitorTest,
  type Result,
} from '../../app/client.ts';
import { useLastObserved } from '../../app/overview.ts';
import { usePlaces, useRegions } from '../../app/regions.ts';
import { VOTE_STATUS, type DisplayStatus } from '../../lib/display-status.ts';
import { sharedMachine } from '../../lib/places.ts';
import { Cause } from '../../parts/cause.tsx';
import { Card, Loading } from '../../parts/page.tsx';
import { inMilliseconds, PhaseBar, PhaseLegend, scaleOf } from '../../parts/phases.tsx';
import { RegionMap } from '../../parts/region-map.tsx';
import { ScrollRegion, Table } from '../../parts/table.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { newestByRegion } from './rules.ts';
import { useSession } from '../../app/session.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { useAct } from '../../parts/toast.tsx';

/** Enough results that the newest of each region is among them. */
const NEWEST_RESULTS = 40;

/** What each region saw last. */
export function RegionsCard({ monitor }: { monitor: MonitorDetail }) {
  const { id, monitored_regions } = monitor;
  const regions = useRegions().data?.data;
  const read = useRead('listMonitorResults', {
    path: { id },
    query: { page: 1, per_page: NEWEST_RESULTS },
  });
  const { data } = read;
  const newest = newestByRegion(monitored_regions, data?.data ?? []);
  const places = usePlaces();
  const place = places.onlyMachine(monitored_regions);
  const isObserved = useLastObserved(id) === null;
  const seen = newest.map(({ region, result }) => ({
    name: places.checkOf(region),
    codes: regions && sharedMachine(region, regions) !== null ? [] : [region],
    displayStatus: statusOf(result, isObserved),
    ms: result?.response_time == null ? null : inMilliseconds(result.response_time),
  }));
  const scale = scaleOf(newest.flatMap(({ result }) => (result ? [result.timings] : [])));
  return (
    <Card title={words.monitor.regionResults.title} aside={<PhaseLegend />}>
      {data === undefined ? (
        <Loading reads={[read]} lines={4} />
      ) : (
        <>
          {place !== null && <p className="notice mo-notice">{words.places.onePlace(place)}</p>}
          {new Set(seen.map(({ displayStatus }) => displayStatus)).size > 1 && (
            <RegionMap places={seen} />
          )}
          <ScrollRegion label={words.monitor.tableOf(words.monitor.regionResults.title)}>
            <Table
              className="mo-results"
              rows={newest}
              keyOf={({ region }) => region}
              columns={[
                {
                  name: words.labels.region,
                  render: ({ region, result }) => (
                    <span className="line">
                      <StatusShape displayStatus={statusOf(result, isObserved)} />
                      {places.checkOf(region)}
                    </span>
                  ),
                },
                {
                  name: words.terms.answer,
                  render: ({ region, result }) => (
                    <>
                      {result === null ? (
                        <span className="faint">{words.monitor.regionResults.noResult}</span>
                      ) : (
                        <Answer result={result} />
                      )}
                      {regions?.find(({ code }) => code === region)?.is_live === false && (
                        <div className="xs faint">{words.monitor.regionResults.notLive}</div>
                      )}
                    </>
                  ),
                },
                {
                  name: words.labels.phases,
                  render: ({ result }) =>
                    result === null ? (
                      <span className="faint">–</span>
                    ) : (
                      <PhaseBar times={result.timings} scale={scale} />
                    ),
                  className: 'wide mo-phases-head',
                },
                {
                  name: words.terms.total,
                  render: ({ result }) => {
                    const total = result?.response_time ?? result?.timings.total_ms ?? null;
                    return total === null ? '–' : inMilliseconds(total);
                  },
                  className: 'r',
                },
                {
                  name: words.labels.seen,
                  render: ({ result }) => (
                    <span className="faint">
                      {result === null ? '–' : <RelativeTime time={result.checked_at} />}
                    </span>
                  ),
                  className: 'r wide',
                },
              ]}
            />
          </ScrollRegion>
        </>
      )}
    </Card>
  );
}

function statusOf(result: Result | null, isObserved: boolean): DisplayStatus {
  return result === null ? 'pending' : VOTE_STATUS[isObserved ? result.vote : 'unknown'];
}

/** What a check got, in a few words. */
export function Answer({ result }: { result: Pick<Result, 'vote' | 'error' | 'status_code'> }) {
  const { vote, error, status_code } = result;
  return (
    <span className={vote === 'unknown' ? 'dim wrap mo-answer' : 'wrap mo-answer'}>
      {error !== null ? (
        <Cause>{error}</Cause>
      ) : status_code === null ? (
        words.monitor.reached
      ) : (
        words.monitor.answered(status_code)
      )}
      {vote === 'unknown' && (
        <span className="xs faint block">{words.monitor.regionResults.unknownVote}</span>
      )}
    </span>
  );
}

type RegionTest = MonitorTest['regions'][number];

/** Checks a monitor now from all its regions, and shows what each of them saw. */
export function CheckNow({ monitor, onClose }: { monitor: MonitorDetail; onClose: () => void }) {
  const { id, monitored_regions } = monitor;
  const places = usePlaces();
  const [answer, setAnswer] = useState<MonitorTest | ApiError | null>(null);
  const hasAsked = useRef(false);
  useEffect(() => {
    if (hasAsked.current) return;
    hasAsked.current = true;
    call('testMonitor', { body: { id } }).then(setAnswer, setAnswer);
  }, [id]);
  const close = <IconButton icon="cross" label={words.common.close} onClick={onClose} />;
  if (answer instanceof ApiError) {
    return (
      <Card className="below mo-check" title={words.monitor.check.title} aside={close}>
        <p className="pad down" role="alert">
          {answer.message}
        </p>
      </Card>
    );
  }
  const { displayStatus, text } = verdictOf(answer, monitored_regions.length);
  const scale = scaleOf(answer?.regions.map(({ timings }) => timings) ?? []);
  return (
    <Card
      className="below mo-check"
      title={
        <span className="line" role="status">
          <StatusShape displayStatus={displayStatus} isDecoration />
          {text}
        </span>
      }
      aside={
        <>
          <PhaseLegend />
          {close}
        </>
      }
    >
      <table>
        <thead className="vh">
          <tr>
            <th scope="col">{words.labels.region}</th>
            <th scope="col">{words.terms.answer}</th>
            <th scope="col">{words.labels.phases}</th>
            <th scope="col">{words.terms.total}</th>
          </tr>
        </thead>
        <tbody>
          {monitored_regions.map((region) => {
            const result = answer?.regions.find((one) => one.region === region);
            return (
              <tr key={region}>
                <th scope="row">
                  <span className="line">
                    <StatusShape displayStatus={result ? VOTE_STATUS[result.vote] : 'pending'} />
                    {places.checkOf(region)}
                  </span>
                </th>
                <td>
                  {result ? (
                    <Answer result={withoutContent(result)} />
                  ) : (
                    <span className="faint">{words.terms.checking}</span>
                  )}
                  {result?.content?.failures.map((failure) => (
                    <div key={failure} className="xs down">
                      {failure}
                    </div>
                  ))}
                </td>
                <td className="wide mo-phases-head">
                  {result && <PhaseBar times={result.timings} scale={scale} />}
                </td>
                <td className="r">
                  {result?.response_time != null ? inMilliseconds(result.response_time) : '–'}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {answer !== null && <Inspections answer={answer} />}
      <div className="row over mo-below">
        <p className="xs faint">{words.monitor.check.aside}</p>
        {answer !== null && answer.verdict.status !== monitor.status && <RunRound id={id} />}
      </div>
    </Card>
  );
}

/** Brings the next round forward, which counts: offered where the check says something else than the status. */
function RunRound({ id }: { id: number }) {
  const { isAtLeast } = useSession();
  const { isBusy, run } = useAct(async () => {
    await call('checkMonitor', { path: { id } });
    await reread('monitor', 'monitors');
    return words.monitor.check.runs;
  });
  if (!isAtLeast('editor')) return null;
  return (
    <Button icon="refresh" isDisabled={isBusy} onClick={() => void run()}>
      {words.monitor.check.run}
    </Button>
  );
}

/** What a region got, without what is wrong with the content, which is said in full below it. */
function withoutContent(result: RegionTest): RegionTest {
  return result.content?.passed === false ? { ...result, error: null } : result;
}

/** What the inspections of certificate, DNS and domain found. */
function Inspections({ answer }: { answer: MonitorTest }) {
  const { ssl, dns, domain, not_run } = answer;
  const names: Record<string, string> = {
    ssl: words.terms.certificate,
    dns: words.phases.dns,
    domain: words.labels.domain,
    keyword: words.monitor.checked.content,
    json: words.monitor.checked.content,
  };
  const rows: { name: string; displayStatus: DisplayStatus; text: string }[] = [
    ...(ssl ? [outcome(names['ssl']!, ssl.error)] : []),
    ...(dns ? [outcome(names['dns']!, dns.error)] : []),
    ...(domain ? [outcome(names['domain']!, domain.error)] : []),
    ...Object.entries(not_run).map(([name, why]) => ({
      name: names[name] ?? name,
      displayStatus: 'unknown' as const,
      text: name === 'ssl' ? words.monitor.certificate.notHttps : why,
    })),
  ];
  if (rows.length === 0) return null;
  return (
    <ul className="over sm gap mo-inspections">
      {rows.map(({ name, displayStatus, text }) => (
        <li key={name} className="beside">
          <StatusShape displayStatus={displayStatus} />
          <span>
            <span className="b">{name}</span> {text}
          </span>
        </li>
      ))}
    </ul>
  );
}

function outcome(
  name: string,
  error: string | null,
): { name: string; displayStatus: DisplayStatus; text: string } {
  return error === null
    ? { name, displayStatus: 'online', text: words.monitor.check.fine }
    : { name, displayStatus: 'degraded', text: error };
}

/** The sentence about a check, and its shape. */
function verdictOf(
  answer: MonitorTest | null,
  asked: number,
): { displayStatus: DisplayStatus; text: string } {
  const { check } = words.monitor;
  if (answer === null) return { displayStatus: 'pending', text: check.running(asked) };
  const votes = answer.regions.map(({ vote }) => vote);
  const up = votes.filter((vote) => vote === 'up').length;
  const down = votes.filter((vote) => vote === 'down').length;
  switch (answer.verdict.status) {
    case 'offline':
      return { displayStatus: 'offline', text: check.offline(down, votes.length) };
    case 'unknown':
      return { displayStatus: 'unknown', text: check.unknown };
    case 'degraded':
      return { displayStatus: 'degraded', text: check.degraded };
    case 'online':
      return { displayStatus: 'online', text: check.online(up, votes.length) };
  }
}
