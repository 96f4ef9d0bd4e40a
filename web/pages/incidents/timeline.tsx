import { useState } from 'react';
import { reread, useRead } from '../../app/api.ts';
import { call, type BodyOf, type IncidentDetail } from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import { CauseSentence } from '../../parts/cause.tsx';
import { Choose, Form, TextArea, Tick, useForm } from '../../parts/form.tsx';
import { Card } from '../../parts/page.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { DayTime } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { momentsOf, type Moment } from './moments.ts';
import { useRounds } from './rounds.tsx';

/** What happened, newest first, with a field for a note or an update of the status pages above. */
export function Timeline({ incident }: { incident: IncidentDetail }) {
  const { id } = incident;
  const { isAtLeast } = useSession();
  const path = { id };
  const updates = useRead(['incident', id, 'updates'], () => call('listIncidentUpdates', { path }));
  const rounds = useRounds(incident.id);
  const moments = momentsOf(incident, updates.data?.data ?? [], rounds.data?.rounds ?? []);
  return (
    <Card title={words.incident.timeline}>
      {isAtLeast('editor') && <Composer incident={incident} />}
      <ol className="tl">
        {moments.map((moment) => (
          <li key={moment.key}>
            <span className="k">
              {moment.displayStatus === null ? (
                <i className="node" />
              ) : (
                <StatusShape displayStatus={moment.displayStatus} isDecoration />
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

function Said({ moment }: { moment: Moment }) {
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

type State = NonNullable<BodyOf<'createIncidentUpdate'>['state']>;
const STATES = ['investigating', 'identified', 'monitoring', 'resolved'] as const satisfies State[];

/** Writes a note for the team, or an update for the status pages that show the monitor. Both keep what was typed. */
function Composer({ incident: { id, monitor_id, status } }: { incident: IncidentDetail }) {
  const { incident: texts } = words;
  const [kind, setKind] = useState<'note' | 'update'>('note');
  const { draft, set, form } = useForm(null, {
    text: '',
    state: (status === 'resolved' ? 'resolved' : 'investigating') as State,
    notify: true,
  });
  const pages = useRead(['status-pages'], () =>
    call('listStatusPages', { query: { per_page: 100 } }),
  );
  const showing = (pages.data?.data ?? []).filter(({ services }) =>
    services.some((service) => service.monitor_id === monitor_id),
  );
  const isNote = kind === 'note' || showing.length === 0;
  const note = async () => {
    await call('createIncidentNote', { path: { id }, body: { text: draft.text.trim() } });
    await reread('incident');
    set({ text: '' });
    showToast(texts.noted);
  };
  const publish = async () => {
    const body = { ...draft, status_pages: showing.map((page) => page.id) };
    await call('createIncidentUpdate', { path: { id }, body });
    await reread('incident', 'incidents', 'announcements', 'status-pages');
    set({ text: '' });
    showToast(texts.published);
  };
  return (
    <div className="inc-composer">
      <div className="inc-kind">
        {showing.length > 0 && (
          <Segmented
            label={texts.writeWhat}
            value={kind}
            onChange={setKind}
            choices={[
              { value: 'note', text: texts.note },
              { value: 'update', text: texts.publicUpdate },
            ]}
          />
        )}
      </div>
      <Form
        key={String(isNote)}
        {...form}
        submit={isNote ? texts.addNote : texts.publish}
        onSubmit={isNote ? note : publish}
        isPrimary={false}
      >
        <div className="inc-write">
          {isNote ? (
            <TextArea
              name="text"
              label={texts.noteForTeam}
              hint={
                pages.data === undefined || showing.length > 0 ? undefined : texts.noPageShowsIt
              }
              placeholder={texts.noteHint}
            />
          ) : (
            <>
              <TextArea
                name="text"
                label={texts.forVisitors}
                hint={texts.shownOn(showing.map(({ name }) => name))}
                placeholder={texts.updateHint}
              />
              <Choose
                name="state"
                label={texts.state}
                options={STATES.map((value) => ({ value, text: texts.states[value] }))}
              />
              <Tick name="notify" label={texts.notify} />
            </>
          )}
        </div>
      </Form>
    </div>
  );
}
