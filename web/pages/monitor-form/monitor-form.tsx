import { useState, type ReactNode } from 'react';
import type { MonitorSettings } from '../../client/types.gen.ts';
import { useSession } from '../../app/session.tsx';
import { ApiError } from '../../app/api.ts';
import { Form } from '../../parts/form.tsx';
import { useUnsavedGuard } from '../../parts/unsaved.ts';
import { words } from '../../words/index.ts';
import { bodyOf, emptyDraft, isPush, type Draft, type MonitorType } from './draft.ts';
import { CountsAsDown } from './down.tsx';
import { Notified } from './notified.tsx';
import { Request } from './request.tsx';
import { HowOften, WhenExpected } from './schedule.tsx';
import { TestPanel } from './test-panel.tsx';
import { useLiveErrors } from './validation.ts';
import { TypeCards, What } from './what.tsx';
import { Section } from './fields.tsx';

/** Form of a monitor, with a test of what is typed beside it. */
export function MonitorForm({
  initial,
  id,
  onSave,
  onCancel,
}: {
  initial: Draft;
  /** Id of the monitor that is edited; null for a new one, which can still change its type. */
  id: number | null;
  onSave: (settings: MonitorSettings) => Promise<unknown>;
  onCancel: () => void;
}): ReactNode {
  const { zone } = useSession();
  const [draft, setDraft] = useState(initial);
  const [isSaved, setSaved] = useState(false);
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const body = () => bodyOf(draft);
  const live = useLiveErrors(bodyOf(draft), id);
  useUnsavedGuard(!isSaved && JSON.stringify(draft) !== JSON.stringify(initial));
  const save = async () => {
    setSaved(true);
    try {
      await onSave(body());
    } catch (error) {
      setSaved(false);
      if (error instanceof ApiError) live.attempted();
      throw error;
    }
  };
  /** What both types have stays as it was typed. */
  const changeType = (type: MonitorType) =>
    set({ type, inspections: emptyDraft(type, zone).inspections });
  const parts = { draft, set };
  return (
    <div className="cols2 mf" onBlur={live.onBlur}>
      <Form
        submit={id === null ? words.monitorForm.create : words.common.save}
        onSubmit={save}
        onCancel={onCancel}
        live={live.errors}
      >
        <div className="stack">
          {id === null && <TypeCards type={draft.type} onChange={changeType} />}
          <What {...parts} />
          {isPush(draft.type) ? <WhenExpected {...parts} /> : <HowOften {...parts} />}
          <CountsAsDown {...parts} ownId={id} />
          {draft.type === 'http' && (
            <Section title={words.monitorForm.howAsked}>
              <Request {...parts} />
            </Section>
          )}
          <Notified {...parts} />
        </div>
      </Form>
      {!isPush(draft.type) && <TestPanel body={body} id={id} />}
    </div>
  );
}
