import type { UseQueryResult } from '@tanstack/react-query';
import { Fragment, useEffect, useState } from 'react';
import { queries, useRead } from '../../app/api.ts';
import { keyOf } from '../../app/read-key.ts';
import {
  type ApiError,
  type IncidentDetail,
  type IncidentRounds,
  type MonitorDetail,
  type IncidentEvidence,
} from '../../app/client.ts';
import { usePlaces, useRegions } from '../../app/regions.ts';
import { duration, milliseconds } from '../../lib/format.ts';
import { Card, Waiting } from '../../parts/page.tsx';
import { Facts } from '../../parts/sections.tsx';
import { ScrollRegion } from '../../parts/table.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { at, ClockTime, DayTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import {
  decidingRound,
  displayStatusOfFailure,
  explanationOf,
  failureInAWord,
  gapBefore,
  inOrderOf,
  regionsOf,
  verdictOf,
} from './rules.ts';
import { Cause } from '../../parts/cause.tsx';
import { inMilliseconds, PhaseBar, PhaseLegend, scaleOf } from '../../parts/phases.tsx';
import { Segmented } from '../../parts/segmented.tsx';

const MINUTE_MS = 60_000;

type Round = IncidentRounds['rounds'][number];
type Seen = Round['regions'][number];

/** The rounds that the incident follows from, with the rule as a sentence. */
export function Why(props: {
  incident: IncidentDetail;
  monitor: { data: MonitorDetail | undefined; isPending: boolean };
}) {
  const { incident, monitor } = props;
  const read = useRounds(incident.id);
  if (read.data === undefined || monitor.isPending)
    return read.error ? null : <Waiting lines={4} />;
  const { rounds, reason, expectation } = read.data;
  const why: Readonly<Partial<Record<string, string>>> = words.incident.why;
  const title = why[incident.type] ?? words.incident.whatChecksSaw;
  if (rounds.length === 0 && expectation === null) {
    if (reason === null || reason.code === 'not_automatic') return null;
    return (
      <Card title={title}>
        <p className="pad dim">{words.incident.noRounds[reason.code]}</p>
      </Card>
    );
  }
  return (
    <Card title={title}>
      {expectation !== null && (
        <Expectation expectation={expectation} endedAt={incident.ended_at} />
      )}
      {rounds.length > 0 && (
        <div className="inset gap votes">
          <Table
            rounds={read.data}
            intervalMs={(monitor.data?.check_interval ?? Infinity) * MINUTE_MS}
          />
          <Because rounds={read.data} type={incident.type} />
          <OnePlace codes={regionsOf(rounds)} />
        </div>
      )}
    </Card>
  );
}

function Table(props: {
  rounds: IncidentRounds;
  /** Time from one round to the next; rounds between two that are further apart are not shown. */
  intervalMs: number;
}) {
  const {
    rounds: { rounds, rule },
    intervalMs,
  } = props;
  const { incident } = words;
  const places = usePlaces();
  const regions = regionsOf(rounds);
  const times = rounds.map((round) => at(round.at));
  return (
    <ScrollRegion label={incident.votesByRound}>
      <table>
        <thead>
          <tr>
            <th scope="col">{incident.round}</th>
            {regions.map((region) => (
              <th scope="col" key={region}>
                {places.checkOf(region)}
              </th>
            ))}
            <th scope="col" className="wide">
              {incident.verdict}
            </th>
          </tr>
        </thead>
        <tbody>
          {rounds.map((round, index) => (
            <Fragment key={round.at}>
              <Gap ms={gapBefore(times, index, intervalMs)} columns={regions.length + 2} />
              <tr>
                <th scope="row" className={round.verdict === 'up' ? 'faint' : ''}>
                  <ClockTime time={round.at} withSeconds />
                  <span
                    className={`xs vote-verdict ${round.verdict === 'down' ? 'down b' : 'dim'}`}
                  >
                    {verdictOf(round, rule?.failure_threshold ?? 1)}
                  </span>
                </th>
                {regions.map((region) => (
                  <td key={region}>
                    <Vote seen={round.regions.find((one) => one.region === region)} />
                  </td>
                ))}
                <td className={round.verdict === 'down' ? 'wide down b' : 'wide dim'}>
                  {verdictOf(round, rule?.failure_threshold ?? 1)}
                </td>
              </tr>
            </Fragment>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** Row for rounds that are not shown. */
function Gap({ ms, columns }: { ms: number | null; columns: number }) {
  if (ms === null) return null;
  return (
    <tr className="vote-gap">
      <td colSpan={columns}>
        <span>{words.incident.between(duration(ms))}</span>
      </td>
    </tr>
  );
}

const VOTES = {
  up: { displayStatus: 'online', name: 'near nowrap vote up' },
  down: { displayStatus: 'offline', name: 'near nowrap vote down' },
  unknown: { displayStatus: 'unknown', name: 'near nowrap vote none' },
} as const;

function Vote({ seen }: { seen: Seen | undefined }) {
  const { displayStatus, name } = VOTES[seen?.vote ?? 'unknown'];
  return (
    <span className={name} title={seen?.text ?? undefined}>
      <StatusShape displayStatus={displayStatus} />
      {shortly(seen)}
    </span>
  );
}

/** What a region saw, in a word: the time, the status code, or why there is none. */
function shortly(seen: Seen | undefined): string {
  if (seen === undefined || seen.vote === 'unknown') return words.incident.unknownVote;
  if (seen.vote === 'up' && seen.response_time !== null)
    return `${milliseconds(seen.response_time)} ms`;
  if (seen.vote === 'up') return words.status.online;
  return seen.status_code === null ? failureInAWord(seen.failure_code) : String(seen.status_code);
}

/** Where all regions are checked from one machine, they are one witness. */
function OnePlace({ codes }: { codes: readonly string[] }) {
  const machine = usePlaces().onlyMachine(codes);
  return machine === null ? null : <p className="notice">{words.places.onePlace(machine)}</p>;
}

function Because(props: { rounds: IncidentRounds; type: IncidentDetail['type'] }) {
  const {
    rounds: { rounds, rule },
    type,
  } = props;
  const places = usePlaces();
  const deciding = decidingRound(rounds, rule?.failure_threshold ?? 1);
  if (rule === null || deciding === undefined) return null;
  const { first, rest } = explanationOf(type, deciding, rule, places.checkOf);
  return (
    <p className="notice">
      <b>{first}</b> {rest}
    </p>
  );
}

/** When the job should have reported; of an incident that is over, when it is expected next. */
function Expectation(props: {
  expectation: NonNullable<IncidentRounds['expectation']>;
  endedAt: string | null;
}) {
  const {
    expectation: { expected_at, grace_seconds, last_ping },
    endedAt,
  } = props;
  const { incident } = words;
  return (
    <Facts
      rows={[
        [
          incident.lastPing,
          last_ping === null ? (
            words.terms.never
          ) : (
            <span key="ping">
              {incident.pings[last_ping.kind]} · <DayTime time={last_ping.received_at} />
            </span>
          ),
        ],
        [
          endedAt === null ? incident.expected : words.terms.expectedNext,
          expected_at && <DayTime key="expected" time={expected_at} />,
        ],
        [incident.grace, duration(grace_seconds * 1_000)],
      ]}
    />
  );
}

/** Rounds that an incident follows from. */
export function useRounds(id: number): UseQueryResult<IncidentRounds, ApiError> {
  return useRead('listIncidentRounds', { path: { id } });
}

/** Reads the rounds of an incident again when its monitor was checked again. */
export function useNewRounds(id: number, checkedAt: string | null | undefined): void {
  useEffect(() => {
    if (checkedAt)
      void queries.invalidateQueries({ queryKey: keyOf('listIncidentRounds', { path: { id } }) });
  }, [id, checkedAt]);
}

/** What each region saw when the incident was confirmed, side by side, and the raw answer of one of them. */
export function Evidence({ evidence: seen }: { evidence: readonly IncidentEvidence[] }) {
  const codes = useRegions().data?.data.map(({ code }) => code) ?? [];
  const evidence = inOrderOf(codes, seen);
  if (evidence.length === 0) return null;
  const scale = scaleOf(evidence.map(({ timings }) => timings));
  return (
    <Card
      title={evidence.length === 1 ? words.incident.whatWasSeen : words.incident.whatEachSaw}
      aside={<PhaseLegend />}
    >
      <div className="ev">
        {evidence.map((one) => (
          <SeenByRegion key={one.region ?? one.checked_at} {...{ one, scale }} />
        ))}
      </div>
      <RawAnswers evidence={evidence} />
    </Card>
  );
}

function SeenByRegion({ one, scale }: { one: IncidentEvidence; scale: number }) {
  const { incident } = words;
  const places = usePlaces();
  const total = one.timings.total_ms;
  return (
    <section>
      <h3 className="line">
        <StatusShape displayStatus={displayStatusOfFailure(one.failure?.code)} />
        {places.checkOf(one.region) || words.incident.here}
      </h3>
      <p className="sm b ev-said">
        {one.failure ? <Cause>{one.failure.text}</Cause> : (one.status_line ?? incident.answered)}
      </p>
      <PhaseBar times={one.timings} scale={scale} />
      {one.remote_address !== null && (
        <p className="mono" title={words.labels.address}>
          <span className="vh">{words.labels.address} </span>
          {one.remote_address}
        </p>
      )}
      <dl className="xs dim">
        {total !== null && (
          <>
            <dt>{words.terms.total}</dt>
            <dd>{inMilliseconds(total)}</dd>
          </>
        )}
        <dt>{incident.at}</dt>
        <dd>
          <ClockTime time={one.checked_at} withSeconds />
        </dd>
        {one.tls !== null && (
          <>
            <dt>{words.terms.certificate}</dt>
            <dd className="clip" title={one.tls.issuer ?? ''}>
              {one.tls.issuer ?? one.tls.subject}
            </dd>
          </>
        )}
        {one.redirects.length > 0 && (
          <>
            <dt>{words.terms.redirects}</dt>
            <dd title={one.redirects.join('\n')}>{one.redirects.length}</dd>
          </>
        )}
      </dl>
    </section>
  );
}

/** Status line, headers and body as they were sent, of the regions that got an answer. */
function RawAnswers({ evidence }: { evidence: readonly IncidentEvidence[] }) {
  const answers = evidence.filter(({ status_line }) => status_line !== null);
  const places = usePlaces();
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = answers.find(({ region }) => region === chosen) ?? answers[0];
  if (shown === undefined) return null;
  const label = words.incident.answerIn(places.checkOf(shown.region));
  return (
    <>
      <div className="row between over ev-raw">
        <span className="xs dim">{label}</span>
        {answers.length > 1 && (
          <Segmented
            label={words.incident.answerOf}
            value={shown.region ?? ''}
            choices={answers.map(({ region }) => ({
              value: region ?? '',
              text: places.checkOf(region),
            }))}
            onChange={setChosen}
          />
        )}
      </div>
      <ScrollRegion label={label}>
        <pre className="wrap">
          <b>{shown.status_line}</b>
          {Object.entries(shown.headers ?? {}).map(([name, value]) => `\n${name}: ${value}`)}
          {shown.body !== null && shown.body !== '' && `\n\n${shown.body}`}
        </pre>
      </ScrollRegion>
    </>
  );
}
