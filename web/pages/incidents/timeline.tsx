import { useState, type ReactNode } from 'react';
import { useChange, useRead } from '../../app/api.ts';
import { useSession } from '../../app/session.tsx';
import {
  createIncidentUpdate,
  listIncidentUpdates,
  listStatusPages,
} from '../../client/sdk.gen.ts';
import type { CreateIncidentUpdateData, IncidentDetail } from '../../client/types.gen.ts';
import { Card } from '../../parts/card.tsx';
import { Choose, Form, TextArea, Tick } from '../../parts/form.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { DayTime } from '../../parts/time.tsx';
import { say } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { momentsOf, type Moment } from './moments.ts';
import { useRounds } from './reads.ts';

type State = NonNullable<CreateIncidentUpdateData['body']['state']>;
const STATES = ['investigating', 'identified', 'monitoring', 'resolved'] as const satisfies State[];

/** What happened, newest first, with a field for an update of the status pages above. */
export function Timeline({ incident }: { incident: IncidentDetail }): ReactNode {
  const { id } = incident;
  const { isAtLeast } = useSession();
  const path = { id };
  const updates = useRead(['incident', id, 'updates'], () => listIncidentUpdates({ path }));
  const rounds = useRounds(incident.id);
  const moments = momentsOf(
    incident.activities,
    updates.data?.data ?? [],
    rounds.data?.rounds ?? [],
  );
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
    default:
      return moment.kind === 'opened' || moment.kind === 'resolved' ? (
        <>
          <b className="b">{incident.activities[moment.kind](moment.name)}</b> {moment.text}
        </>
      ) : (
        incident.activities[moment.kind](moment.name, moment.text)
      );
  }
}

/** Writes an update for the status pages that show the monitor. */
function Composer({ incident }: { incident: IncidentDetail }): ReactNode {
  const [text, setText] = useState('');
  const [state, setState] = useState<State>(
    incident.status === 'resolved' ? 'resolved' : 'investigating',
  );
  const [isNotifying, setNotifying] = useState(true);
  const pages = useRead(['status-pages'], () => listStatusPages({ query: { per_page: 100 } }));
  const add = useChange(
    (body: CreateIncidentUpdateData['body']) =>
      createIncidentUpdate({ path: { id: incident.id }, body }),
    ['incident', 'incidents', 'announcements', 'status-pages'],
  );
  const showing = (pages.data?.data ?? []).filter(({ services }) =>
    services.some(({ monitor_id }) => monitor_id === incident.monitor_id),
  );
  if (pages.data === undefined) return null;
  if (showing.length === 0) {
    return <p className="pad xs dim inc-nopage">{words.incident.noPageShowsIt}</p>;
  }
  const save = async () => {
    await add.mutateAsync({
      state,
      text,
      notify: isNotifying,
      status_pages: showing.map(({ id }) => id),
    });
    setText('');
    say(words.incident.published);
  };
  return (
    <div className="inc-composer">
      <Form submit={words.incident.publish} onSubmit={save} isPrimary={false}>
        <div className="inc-write">
          <TextArea
            name="text"
            label={words.incident.publicUpdate}
            hint={words.incident.shownOn(showing.map(({ name }) => name))}
            placeholder={words.incident.updateHint}
            value={text}
            onChange={setText}
          />
          <Choose
            name="state"
            label={words.incident.state}
            value={state}
            onChange={(value) => setState(value as State)}
            options={STATES.map((value) => ({ value, text: words.incident.states[value] }))}
          />
          <Tick
            name="notify"
            label={words.incident.notify}
            checked={isNotifying}
            onChange={setNotifying}
          />
        </div>
      </Form>
    </div>
  );
}
