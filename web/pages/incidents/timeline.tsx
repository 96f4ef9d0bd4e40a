import type { ReactNode } from 'react';
import { useRead } from '../../app/api.ts';
import { useSession } from '../../app/session.tsx';
import { listIncidentUpdates } from '../../client/sdk.gen.ts';
import type { IncidentDetail } from '../../client/types.gen.ts';
import { Card } from '../../parts/card.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { DayTime } from '../../parts/time.tsx';
import { CauseSentence } from '../../parts/cause.tsx';
import { words } from '../../words/index.ts';
import { Composer } from './composer.tsx';
import { momentsOf, type Moment } from './moments.ts';
import { useRounds } from './reads.ts';

/** What happened, newest first, with a field for a note or an update of the status pages above. */
export function Timeline({ incident }: { incident: IncidentDetail }): ReactNode {
  const { id } = incident;
  const { isAtLeast } = useSession();
  const path = { id };
  const updates = useRead(['incident', id, 'updates'], () => listIncidentUpdates({ path }));
  const rounds = useRounds(incident.id);
  const moments = momentsOf(incident, updates.data?.data ?? [], rounds.data?.rounds ?? []);
  return (
    <Card title={words.incident.timeline}>
      {isAtLeast('editor') && <Composer incident={incident} />}
      <ol className="tl">
        {moments.map((moment) => (
          <li key={moment.key}>
            <span className="k">
              {moment.standing === null ? (
                <i className="node" />
              ) : (
                <StatusShape standing={moment.standing} isDecoration />
              )}
            </span>
            <p>
              <Said moment={moment} />
            </p>
            <DayTime time={moment.at} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Said({ moment }: { moment: Moment }): ReactNode {
  const { incident } = words;
  switch (moment.kind) {
    case 'good':
      return incident.lastGood;
    case 'bad':
      return incident.firstBad(moment.down, moment.voting);
    case 'update':
      return (
        <>
          {incident.pageSays} <b className="b">{incident.states[moment.state]}</b>
          {moment.text !== null && `: ${moment.text}`}
        </>
      );
    case 'note':
      return (
        <>
          <b className="b">{incident.noteBy(moment.name)}</b>{' '}
          <span className="inc-note">{moment.text}</span>
        </>
      );
    default:
      return moment.kind === 'opened' || moment.kind === 'resolved' ? (
        <>
          <b className="b">{incident.activities[moment.kind](moment.name)}</b>{' '}
          <CauseSentence>{moment.text}</CauseSentence>
        </>
      ) : (
        incident.activities[moment.kind](moment.name, moment.text)
      );
  }
}
