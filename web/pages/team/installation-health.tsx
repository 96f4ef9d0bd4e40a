import type { ReactNode } from 'react';
import type { Installation } from '../../client/types.gen.ts';
import { count, duration } from '../../lib/format.ts';
import { Card, Facts } from '../../parts/card.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { problemText } from './problem-text.ts';

/** Problems of the installation itself, and when it was evaluated last. */
export function Health({ facts }: { facts: Installation }): ReactNode {
  const { installation } = words;
  const { problems, evaluated_at: evaluatedAt } = facts;
  return (
    <Card title={installation.health}>
      <Facts
        rows={[
          ...problems.map(
            (problem) =>
              [
                problemText(problem, installation.problems, words.time),
                <span key={`${problem.kind}/${problem.subject}`}>
                  {installation.since} <RelativeTime time={problem.since} />
                </span>,
              ] as const,
          ),
          ...(problems.length === 0 && evaluatedAt !== null
            ? [[installation.noProblems, installation.ok] as const]
            : []),
          [
            installation.evaluated,
            evaluatedAt === null ? (
              installation.never
            ) : (
              <RelativeTime key="evaluated" time={evaluatedAt} />
            ),
          ],
        ]}
      />
    </Card>
  );
}

const ms = (value: number) => `${count(value, words.time.locale)}\u202fms`;

/** Processes of the installation, with how late each of them is. */
export function Processes({ processes }: { processes: Installation['processes'] }): ReactNode {
  const { installation } = words;
  const { columns } = installation;
  return (
    <Card title={installation.processes}>
      <ScrollRegion label={installation.processTable}>
        <table className="stacked">
          <thead>
            <tr>
              <th scope="col">{columns.process}</th>
              <th scope="col">{columns.roles}</th>
              <th scope="col">{columns.version}</th>
              <th scope="col">{columns.seen}</th>
              <th scope="col">{columns.lag}</th>
              <th scope="col">{columns.late}</th>
              <th scope="col">{columns.clock}</th>
            </tr>
          </thead>
          <tbody>
            {processes.map((one) => (
              <tr key={`${one.name} ${one.started_at}`}>
                <td className="mono">{one.name}</td>
                <td data-label={columns.roles}>{one.roles.join(', ')}</td>
                <td data-label={columns.version}>{one.version}</td>
                <td data-label={columns.seen}>
                  <RelativeTime time={one.last_seen_at} />
                </td>
                <td data-label={columns.lag}>
                  {one.schedule_lag_ms === null ? '–' : duration(one.schedule_lag_ms, words.time)}
                </td>
                <td data-label={columns.late}>
                  {one.checks_late === null
                    ? '–'
                    : installation.lateOf(one.checks_late, one.checks_due ?? 0)}
                </td>
                <td data-label={columns.clock}>
                  {one.clock_offset_ms === null ? '–' : ms(one.clock_offset_ms)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </Card>
  );
}
