import { useState, type ReactNode } from 'react';
import { useChange } from '../../app/api.ts';
import { createAnnouncementUpdate } from '../../client/sdk.gen.ts';
import type { Announcement } from '../../client/types.gen.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Choose, Form, Tick } from '../../parts/form.tsx';
import { useMonitors } from '../../parts/monitor-picker.tsx';
import { say } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { useTitleOf } from './announcement-row.tsx';
import { IMPACTS, nextState } from './facts.ts';
import { filled, StateField, TemplateField, UpdateText } from './update-text.tsx';

/** Writes an update of an announcement, which visitors and subscribers read. */
export function UpdateDialog({
  announcement,
  onClose,
  onPublished,
}: {
  announcement: Announcement;
  onClose: () => void;
  onPublished: () => void;
}): ReactNode {
  const w = words.statusPages;
  const { id, kind } = announcement;
  const monitors = useMonitors();
  const titleOf = useTitleOf();
  const [state, setState] = useState(nextState(announcement));
  const [text, setText] = useState('');
  const [impact, setImpact] = useState(announcement.impact);
  const [notify, setNotify] = useState(true);
  const names = (monitors.data?.monitors ?? [])
    .filter((monitor) => announcement.monitors.includes(monitor.id))
    .map(({ name }) => name);
  const publish = useChange(
    () =>
      createAnnouncementUpdate({
        path: { id },
        body: { state, text, notify, ...(impact !== announcement.impact && { impact }) },
      }),
    ['announcements'],
  );
  return (
    <Dialog title={w.updateFor(titleOf(announcement))} size="large" onClose={onClose}>
      <Form
        submit={w.publishNow}
        onCancel={onClose}
        onSubmit={async () => {
          await publish.mutateAsync(undefined);
          onPublished();
          say(notify ? w.publishedAndSent : w.published);
          onClose();
        }}
      >
        <div className="gap sp-dialog">
          <div className="sp-two">
            <StateField kind={kind} value={state} onChange={setState} />
            <TemplateField
              kind={kind}
              onPick={(template) => {
                setState(template.state);
                setText(filled(template.text, names));
              }}
            />
          </div>
          <UpdateText value={text} onChange={setText} />
          {kind === 'incident' && (
            <Choose
              name="impact"
              label={w.impact}
              value={impact}
              onChange={(value) => setImpact(value as Announcement['impact'])}
              options={IMPACTS.map((value) => ({ value, text: w.impacts[value] }))}
            />
          )}
          <Tick
            name="notify"
            label={w.notify}
            hint={w.notifyHint}
            checked={notify}
            onChange={setNotify}
          />
        </div>
      </Form>
    </Dialog>
  );
}
