import { useRef, useState } from 'react';
import { useRead } from '../../app/api.ts';
import { type MonitorDetail } from '../../app/client.ts';
import { usePlaces } from '../../app/regions.ts';
import { useSession } from '../../app/session.ts';
import { VOTE_STATUS } from '../../lib/display-status.ts';
import { duration } from '../../lib/format.ts';
import { faceOf } from '../../lib/monitor-types.ts';
import { Button } from '../../parts/button.tsx';
import { Cause } from '../../parts/cause.tsx';
import { Card, isLoaded, Loading, Waiting } from '../../parts/page.tsx';
import { Facts, MonoLines, Paging } from '../../parts/sections.tsx';
import { inMilliseconds } from '../../parts/phases.tsx';
import { ScrollRegion, Table } from '../../parts/table.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { DayTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { Banners, MonitorHead } from './head.tsx';
import { CertificateCard, Expiry } from './certificate.tsx';
import { Answer, CheckNow, RegionsCard } from './regions.tsx';
import { CheckedCard } from './checked.tsx';
import { CorrectionsCard, IncidentsCard, NotifiedCard, SloCard } from './cards.tsx';
import { DaysCard } from './days.tsx';
import { Figures } from './figures.tsx';
import { ResponseCard } from './response-card.tsx';

const MINUTE_MS = 60_000;

/** Page of a monitor that is checked from outside. */
export function PullMonitor({ monitor }: { monitor: MonitorDetail }) {
  const { isAtLeast } = useSession();
  const [checks, setChecks] = useState(0);
  const checkButton = useRef<HTMLButtonElement>(null);
  const { check_types } = monitor;
  const closeCheck = () => {
    setChecks(0);
    checkButton.current?.focus();
  };
  return (
    <>
      <MonitorHead
        monitor={monitor}
        text={<Target monitor={monitor} />}
        action={
          isAtLeast('editor') && (
            <Button
              ref={checkButton}
              look="primary"
              icon="play"
              onClick={() => setChecks(checks + 1)}
            >
              {words.labels.checkNow}
            </Button>
          )
        }
      />
      <Banners monitor={monitor} />
      {checks > 0 && <CheckNow key={checks} monitor={monitor} onClose={closeCheck} />}
      <Figures monitor={monitor} />
      <div className="cols2">
        <div className="stack">
          <ResponseCard monitor={monitor} />
          <DaysCard monitor={monitor} />
          <RegionsCard monitor={monitor} />
          <NotifiedCard monitor={monitor} />
          {(check_types.includes('dns') || check_types.includes('ssl')) && (
            <ActivitiesCard monitor={monitor} />
          )}
          <ResultsCard monitor={monitor} />
          <CorrectionsCard monitor={monitor} />
        </div>
        <div className="stack">
          <SloCard monitor={monitor} />
          <IncidentsCard monitor={monitor} />
          {check_types.includes('ssl') && <CertificateCard monitor={monitor} />}
          {(check_types.includes('dns') || check_types.includes('domain')) && (
            <TargetCard monitor={monitor} />
          )}
          <CheckedCard monitor={monitor} />
        </div>
      </div>
    </>
  );
}

/** What is checked, how often and from how many places. */
function Target({ monitor }: { monitor: MonitorDetail }) {
  const { url, port, check_interval, monitored_regions } = monitor;
  const { isWeb } = faceOf(monitor.monitor_type);
  const places = usePlaces();
  const machine = places.onlyMachine(monitored_regions);
  const interval = duration((check_interval ?? 0) * MINUTE_MS);
  const text = port === null ? url : `${url}:${port}`;
  return (
    <p>
      {isWeb ? (
        <a className="mono wrap" href={url} target="_blank" rel="noreferrer">
          {text}
        </a>
      ) : (
        <span className="mono wrap">{text}</span>
      )}{' '}
      <span className="faint">
        ·{' '}
        {machine === null
          ? words.monitor.everyFrom(interval, places.of(monitored_regions).length)
          : words.monitor.everyFromOne(interval, machine, monitored_regions.length)}
      </span>
    </p>
  );
}

const PER_PAGE = 5;

/** Changes of the records and of the certificate. */
function ActivitiesCard({ monitor }: { monitor: MonitorDetail }) {
  const [page, setPage] = useState(1);
  const { data } = useRead('listMonitorActivities', {
    path: { id: monitor.id },
    query: { page, per_page: PER_PAGE },
  });
  return (
    <Card title={words.monitor.activities.title}>
      {data === undefined ? (
        <Waiting lines={2} />
      ) : data.total === 0 ? (
        <p className="inset sm dim">{words.monitor.activities.none}</p>
      ) : (
        <>
          <ul className="sm wrap mo-changes">
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

/** Furthest end of a registration that is asked for. */
const FAR_DAYS = 3_650;

const TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT'] as const;

/** End of the registration and records of the target's name. */
function TargetCard({ monitor }: { monitor: MonitorDetail }) {
  const hasDns = monitor.check_types.includes('dns');
  const hasDomain = monitor.check_types.includes('domain');
  const { id } = monitor;
  const dns = useRead('listMonitorDns', { path: { id }, query: { per_page: 1 } });
  const records = dns.data?.data[0];
  const expirations = useRead(
    'listExpirations',
    { query: { within_days: FAR_DAYS, type: 'domain', per_page: 100 } },
    { enabled: hasDomain },
  );
  const registration = expirations.data?.data.find((one) => one.monitor.id === id) ?? null;
  const { target } = words.monitor;
  const problem = monitor.incidents.find(
    ({ type, status }) => status === 'open' && (type === 'dns' || type === 'domain'),
  );
  const title =
    hasDns && hasDomain ? target.title : hasDns ? words.phases.dns : words.labels.domain;
  return (
    <Card
      title={title}
      aside={
        <span className={problem ? 'xs b warn' : 'xs b up'}>
          {problem ? words.labels.problem : target.fine}
        </span>
      }
    >
      <Facts
        rows={[
          [
            target.registered,
            !hasDomain ? null : registration === null ? (
              <span key="registered" className="faint">
                {target.unknownDate}
              </span>
            ) : (
              <Expiry key="registered" time={registration.expires_at} />
            ),
          ],
          [target.registrar, registration?.registrar],
          ...(records === undefined
            ? []
            : TYPES.filter((type) => records.records[type].length > 0).map(
                (type) => [type, <MonoLines key={type} values={records.records[type]} />] as const,
              )),
          [words.labels.seenSince, records && <DayTime key="seen" time={records.seen_at} />],
          [
            words.labels.problem,
            problem?.root_cause && <Cause key="problem">{problem.root_cause}</Cause>,
          ],
        ]}
      />
      {hasDns && records === undefined && <p className="inset sm dim">{target.none}</p>}
    </Card>
  );
}

const RESULTS_PER_PAGE = 20;

/** All results, opened when somebody wants to look closer. */
function ResultsCard({ monitor }: { monitor: MonitorDetail }) {
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

function Results({ id }: { id: number }) {
  const [page, setPage] = useState(1);
  const places = usePlaces();
  const read = useRead('listMonitorResults', {
    path: { id },
    query: { page, per_page: RESULTS_PER_PAGE },
  });
  const { results } = words.monitor;
  if (!isLoaded(read)) return <Loading reads={[read]} lines={6} />;
  const { data } = read;
  if (data.total === 0) return <p className="inset sm dim">{results.none}</p>;
  return (
    <>
      <ScrollRegion label={words.monitor.tableOf(results.title)}>
        <Table
          className="mo-results"
          rows={data.data}
          keyOf={({ region, checked_at, kind }) => `${region}${checked_at}${kind}`}
          columns={[
            {
              name: words.labels.time,
              render: ({ checked_at }) => <DayTime time={checked_at} withSeconds />,
              className: 'nowrap',
            },
            {
              name: words.labels.region,
              render: ({ vote, region }) => (
                <span className="line">
                  <StatusShape displayStatus={VOTE_STATUS[vote]} />
                  {places.checkOf(region)}
                </span>
              ),
            },
            {
              name: words.terms.answer,
              render: (result) => (
                <>
                  <Answer result={result} />
                  {result.kind !== 'voted' && (
                    <div className="xs faint">{results[result.kind]}</div>
                  )}
                </>
              ),
            },
            {
              name: results.total,
              render: ({ response_time: ms }) => (ms === null ? '–' : inMilliseconds(ms)),
              className: 'r',
            },
          ]}
        />
      </ScrollRegion>
      <Paging page={page} last={data.last_page} onChange={setPage} />
    </>
  );
}
