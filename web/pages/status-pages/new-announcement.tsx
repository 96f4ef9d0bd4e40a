import { useState, type ReactNode } from 'react';
import { useChange } from '../../app/api.ts';
import { useSession } from '../../app/session.tsx';
import { createAnnouncement } from '../../client/sdk.gen.ts';
import type { Announcement, StatusPage } from '../../client/types.gen.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Choose, Form, Input, Tick } from '../../parts/form.tsx';
import { MonitorPicker, useMonitors } from '../../parts/monitor-picker.tsx';
import { say } from '../../parts/toast.tsx';
import { fromWallTime, toWallMinute } from '../../lib/wall-time.ts';
import { words } from '../../words/index.ts';
import { IMPACTS, STATES, type AnnouncementState, type Kind } from './facts.ts';
import { PageTicks } from './page-ticks.tsx';
import { filled, StateField, TemplateField, UpdateText } from './update-text.tsx';

const HOUR_MS = 3_600_000;

/** Announces an incident or maintenance that a person knows of. */
export function NewAnnouncementDialog({
  kind,
  page,
  onClose,
  onPublished,
}: {
  kind: Kind;
  page: StatusPage;
  onClose: () => void;
  onPublished: () => void;
}): ReactNode {
  const w = words.statusPages;
  const { zone } = useSession();
  const monitors = useMonitors();
  const [title, setTitle] = useState('');
  const [state, setState] = useState<AnnouncementState>(STATES[kind][0]!);
  const [impact, setImpact] = useState<Announcement['impact']>('minor');
  const [text, setText] = useState('');
  const [picked, setPicked] = useState<number[]>([]);
  const [pages, setPages] = useState([page.id]);
  const [notify, setNotify] = useState(true);
  const [startsAt, setStartsAt] = useState(() => toWallMinute(nextHour() + 24 * HOUR_MS, zone));
  const [endsAt, setEndsAt] = useState(() => toWallMinute(nextHour() + 25 * HOUR_MS, zone));
  const names = picked.map(
    (id) =>
      page.services.find(({ monitor_id }) => monitor_id === id)?.label ??
      monitors.data?.monitors.find((monitor) => monitor.id === id)?.name ??
      w.monitorNumber(id),
  );
  const publish = useChange(
    () =>
      createAnnouncement({
        body: {
          kind,
          title,
          state,
          text,
          status_pages: pages,
          monitors: picked,
          notify,
          ...(kind === 'incident'
            ? { impact }
            : {
                starts_at: fromWallTime(startsAt, zone) ?? startsAt,
                ends_at: fromWallTime(endsAt, zone) ?? endsAt,
              }),
        },
      }),
    ['announcements'],
  );
  return (
    <Dialog title={w.newKind[kind]} size="large" onClose={onClose}>
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
          <Input
            name="title"
            label={w.announcementTitle}
            hint={w.titleHint[kind]}
            value={title}
            onChange={setTitle}
          />
          <div className="sp-two">
            {kind === 'incident' ? (
              <Choose
                name="impact"
                label={w.impact}
                value={impact}
                onChange={(value) => setImpact(value as Announcement['impact'])}
                options={IMPACTS.map((value) => ({ value, text: w.impacts[value] }))}
              />
            ) : (
              <>
                <Input
                  name="starts_at"
                  type="datetime-local"
                  label={w.begins}
                  hint={zone}
                  value={startsAt}
                  onChange={setStartsAt}
                />
                <Input
                  name="ends_at"
                  type="datetime-local"
                  label={w.plannedUntil}
                  value={endsAt}
                  onChange={setEndsAt}
                />
              </>
            )}
            <StateField kind={kind} value={state} onChange={setState} />
            <TemplateField
              kind={kind}
              onPick={(template) => {
                setState(template.state);
                setText(filled(template.text, names));
                if (template.title !== null && title === '')
                  setTitle(filled(template.title, names));
              }}
            />
          </div>
          <UpdateText value={text} onChange={setText} />
          <MonitorPicker
            name="monitors"
            label={w.affected}
            picked={picked}
            onChange={setPicked}
            only={page.services.map(({ monitor_id }) => monitor_id)}
          />
          <PageTicks picked={pages} onChange={setPages} />
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

function nextHour(): number {
  return Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
}
