import { useState, type ReactNode } from 'react';
import { useChange, useRead } from '../../app/api.ts';
import { createIncidentNote, createIncidentUpdate, listStatusPages } from '../../client/sdk.gen.ts';
import type {
  CreateIncidentNoteData,
  CreateIncidentUpdateData,
  IncidentDetail,
} from '../../client/types.gen.ts';
import { Choose, Form, TextArea, Tick } from '../../parts/form.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { say } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';

type State = NonNullable<CreateIncidentUpdateData['body']['state']>;
const STATES = ['investigating', 'identified', 'monitoring', 'resolved'] as const satisfies State[];

/** Writes a note for the team, or an update for the status pages that show the monitor. Both keep what was typed. */
export function Composer({ incident }: { incident: IncidentDetail }): ReactNode {
  const [kind, setKind] = useState<'note' | 'update'>('note');
  const [text, setText] = useState('');
  const pages = useRead(['status-pages'], () => listStatusPages({ query: { per_page: 100 } }));
  const showing = (pages.data?.data ?? []).filter(({ services }) =>
    services.some(({ monitor_id }) => monitor_id === incident.monitor_id),
  );
  const writing = { incident, text, setText };
  return (
    <div className="inc-composer">
      <div className="inc-kind">
        {showing.length > 0 && (
          <Segmented
            label={words.incident.writeWhat}
            value={kind}
            onChange={setKind}
            choices={[
              { value: 'note', text: words.incident.note },
              { value: 'update', text: words.incident.publicUpdate },
            ]}
          />
        )}
      </div>
      {kind === 'note' || showing.length === 0 ? (
        <Note {...writing} hasPage={pages.data === undefined || showing.length > 0} />
      ) : (
        <PublicUpdate {...writing} pages={showing} />
      )}
    </div>
  );
}

interface Writing {
  incident: IncidentDetail;
  text: string;
  setText: (text: string) => void;
}

function Note({
  incident,
  text,
  setText,
  hasPage,
}: Writing & {
  /** Whether a status page shows the monitor. */
  hasPage: boolean;
}): ReactNode {
  const add = useChange(
    (body: CreateIncidentNoteData['body']) =>
      createIncidentNote({ path: { id: incident.id }, body }),
    ['incident'],
  );
  const save = async () => {
    await add.mutateAsync({ text: text.trim() });
    setText('');
    say(words.incident.noted);
  };
  return (
    <Form submit={words.incident.addNote} onSubmit={save} isPrimary={false}>
      <div className="inc-write">
        <TextArea
          name="text"
          label={words.incident.noteForTeam}
          hint={hasPage ? undefined : words.incident.noPageShowsIt}
          placeholder={words.incident.noteHint}
          value={text}
          onChange={setText}
        />
      </div>
    </Form>
  );
}

function PublicUpdate({
  incident,
  text,
  setText,
  pages,
}: Writing & { pages: readonly { id: number; name: string }[] }): ReactNode {
  const [state, setState] = useState<State>(
    incident.status === 'resolved' ? 'resolved' : 'investigating',
  );
  const [isNotifying, setNotifying] = useState(true);
  const add = useChange(
    (body: CreateIncidentUpdateData['body']) =>
      createIncidentUpdate({ path: { id: incident.id }, body }),
    ['incident', 'incidents', 'announcements', 'status-pages'],
  );
  const save = async () => {
    const ids = pages.map(({ id }) => id);
    await add.mutateAsync({ state, text, notify: isNotifying, status_pages: ids });
    setText('');
    say(words.incident.published);
  };
  return (
    <Form submit={words.incident.publish} onSubmit={save} isPrimary={false}>
      <div className="inc-write">
        <TextArea
          name="text"
          label={words.incident.forVisitors}
          hint={words.incident.shownOn(pages.map(({ name }) => name))}
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
  );
}
