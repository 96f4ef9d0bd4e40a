import type { UseQueryResult } from '@tanstack/react-query';
import { Fragment, useEffect } from 'react';
import { queries, useRead } from '../../app/api.ts';
import {
  call,
  type ApiError,
  type IncidentDetail,
  type IncidentRounds,
  type MonitorDetail,
} from '../../app/client.ts';
import { usePlaces } from '../../app/regions.ts';
import { duration, milliseconds } from '../../lib/format.ts';
import { Card, Facts, Waiting } from '../../parts/page.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { at, ClockTime, DayTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import {
  decidingRound,
  explanationOf,
  failureInAWord,
  gapBefore,
  regionsOf,
  verdictOf,
} from './verdict.ts';

const MINUTE_MS = 60_000;

type Round = IncidentRounds['rounds'][number];
type Seen = Round['regions'][number];

/** The rounds that the incident follows from, with the rule as a sentence. */
export function Why({
  incident,
  monitor,
}: {
  incident: IncidentDetail;
  monitor: { data: MonitorDetail | undefined; isPending: boolean };
}) {
  const read = useRounds(incident.id);
  if (read.data === undefined || monitor.isPending)
    return read.error ? null : <Waiting lines={4} />;
  const { rounds, reason, expectation } = read.data;
  if (rounds.length === 0 && expectation === null) {
    if (reason === null || reason.code === 'not_automatic') return null;
    return (
      <Card title={words.incident.why[incident.type]}>
        <p className="pad dim">{words.incident.noRounds[reason.code]}</p>
      </Card>
    );
  }
  return (
    <Card title={words.incident.why[incident.type]}>
      {expectation !== null && (
        <Expectation expectation={expectation} endedAt={incident.ended_at} />
      )}
      {rounds.length > 0 && (
        <div className="votes">
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

function Table({
  rounds: { rounds, rule },
  intervalMs,
}: {
  rounds: IncidentRounds;
  /** Time from one round to the next; rounds between two that are further apart are not shown. */
  intervalMs: number;
}) {
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
            <th scope="col">{incident.verdict}</th>
          </tr>
        </thead>
        <tbody>
          {rounds.map((round, index) => (
            <Fragment key={round.at}>
              <Gap ms={gapBefore(times, index, intervalMs)} columns={regions.length + 2} />
              <tr>
                <th scope="row" className={round.verdict === 'up' ? 'faint' : ''}>
                  <ClockTime time={round.at} withSeconds />
                </th>
                {regions.map((region) => (
                  <td key={region}>
                    <Vote seen={round.regions.find((one) => one.region === region)} />
                  </td>
                ))}
                <td className={round.verdict === 'down' ? 'down b' : 'dim'}>
                  {verdictOf(round, rule?.failure_threshold ?? 1, words.incident)}
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
        <span>{words.incident.between(duration(ms, words.time))}</span>
      </td>
    </tr>
  );
}

const VOTES = {
  up: { displayStatus: 'online', name: 'vote up' },
  down: { displayStatus: 'offline', name: 'vote down' },
  unknown: { displayStatus: 'unknown', name: 'vote none' },
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
    return `${milliseconds(seen.response_time, words.time.locale)} ms`;
  if (seen.vote === 'up') return words.status.online;
  return seen.status_code === null
    ? failureInAWord(seen.failure_code, words.incident)
    : String(seen.status_code);
}

/** Where all regions are checked from one machine, they are one witness. */
function OnePlace({ codes }: { codes: readonly string[] }) {
  const machine = usePlaces().onlyMachine(codes);
  return machine === null ? null : (
    <p className="notice">{words.monitor.regionResults.onePlace(machine)}</p>
  );
}

function Because({
  rounds: { rounds, rule },
  type,
}: {
  rounds: IncidentRounds;
  type: IncidentDetail['type'];
}) {
  const places = usePlaces();
  const deciding = decidingRound(rounds, rule?.failure_threshold ?? 1);
  if (rule === null || deciding === undefined) return null;
  const { first, rest } = explanationOf(type, deciding, rule, words.incident, places.checkOf);
  return (
    <p className="because">
      <b>{first}</b> {rest}
    </p>
  );
}

/** When the job should have reported; of an incident that is over, when it is expected next. */
function Expectation({
  expectation: { expected_at, grace_seconds, last_ping },
  endedAt,
}: {
  expectation: NonNullable<IncidentRounds['expectation']>;
  endedAt: string | null;
}) {
  const { incident } = words;
  return (
    <Facts
      rows={[
        [
          incident.lastPing,
          last_ping === null ? (
            incident.never
          ) : (
            <span key="ping">
              {incident.pings[last_ping.kind]} · <DayTime time={last_ping.received_at} />
            </span>
          ),
        ],
        [
          endedAt === null ? incident.expected : incident.expectedNext,
          expected_at === null ? null : <DayTime key="expected" time={expected_at} />,
        ],
        [incident.grace, duration(grace_seconds * 1_000, words.time)],
      ]}
    />
  );
}

/** Rounds that an incident follows from. */
export function useRounds(id: number): UseQueryResult<IncidentRounds, ApiError> {
  return useRead(['incident', id, 'rounds'], () => call('listIncidentRounds', { path: { id } }));
}

/** Reads the rounds of an incident again when its monitor was checked again. */
export function useNewRounds(id: number, checkedAt: string | null | undefined): void {
  useEffect(() => {
    if (checkedAt) void queries.invalidateQueries({ queryKey: ['incident', id, 'rounds'] });
  }, [id, checkedAt]);
}
