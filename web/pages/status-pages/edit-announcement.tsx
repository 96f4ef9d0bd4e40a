import { useState, type ReactNode } from 'react';
import { useChange } from '../../app/api.ts';
import { useSession } from '../../app/session.tsx';
import { updateAnnouncement } from '../../client/sdk.gen.ts';
import type { AnnouncementDetail, StatusPage } from '../../client/types.gen.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Choose, Form, Input } from '../../parts/form.tsx';
import { MonitorPicker } from '../../parts/monitor-picker.tsx';
import { at } from '../../parts/time.tsx';
import { say } from '../../parts/toast.tsx';
import { fromWallTime, toWallMinute } from '../../lib/wall-time.ts';
import { words } from '../../words/index.ts';
import { IMPACTS } from './facts.ts';
import { PageTicks } from './page-ticks.tsx';

/** Changes title, impact, services, pages and planned times of an announcement. Nobody is notified. */
export function EditAnnouncementDialog({
  announcement,
  page,
  onClose,
  onSaved,
}: {
  announcement: AnnouncementDetail;
  page: StatusPage;
  onClose: () => void;
  onSaved: () => void;
}): ReactNode {
  const w = words.statusPages;
  const { zone } = useSession();
  const { id, kind, origin, planned_until } = announcement;
  const [title, setTitle] = useState(announcement.title ?? '');
  const [impact, setImpact] = useState(announcement.impact);
  const [picked, setPicked] = useState(announcement.monitors);
  const [pages, setPages] = useState(announcement.status_pages);
  const [startsAt, setStartsAt] = useState(toWallMinute(at(announcement.started_at), zone));
  const [endsAt, setEndsAt] = useState(
    planned_until === null ? '' : toWallMinute(at(planned_until), zone),
  );
  const hasTimes = kind === 'maintenance' && origin === 'person';
  const save = useChange(
    () =>
      updateAnnouncement({
        path: { id },
        body: {
          title: title.trim() === '' ? null : title,
          monitors: picked,
          status_pages: pages,
          ...(kind === 'incident' && { impact }),
          ...(hasTimes && {
            starts_at: fromWallTime(startsAt, zone) ?? startsAt,
            ends_at: fromWallTime(endsAt, zone) ?? endsAt,
          }),
        },
      }),
    ['announcements'],
  );
  const offered = [
    ...new Set([...page.services.map(({ monitor_id }) => monitor_id), ...announcement.monitors]),
  ];
  return (
    <Dialog title={w.editAnnouncement} size="large" onClose={onClose}>
      <Form
        submit={words.common.save}
        onCancel={onClose}
        onSubmit={async () => {
          await save.mutateAsync(undefined);
          onSaved();
          say(w.saved);
          onClose();
        }}
      >
        <div className="gap sp-dialog">
          {origin !== 'person' && <p className="notice">{w.takesOver}</p>}
          <Input name="title" label={w.announcementTitle} value={title} onChange={setTitle} />
          {kind === 'incident' && (
            <Choose
              name="impact"
              label={w.impact}
              value={impact}
              onChange={(value) => setImpact(value as AnnouncementDetail['impact'])}
              options={IMPACTS.map((value) => ({ value, text: w.impacts[value] }))}
            />
          )}
          {hasTimes && (
            <div className="sp-two">
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
            </div>
          )}
          <MonitorPicker
            name="monitors"
            label={w.affected}
            picked={picked}
            onChange={setPicked}
            only={offered}
          />
          <PageTicks picked={pages} onChange={setPages} />
        </div>
      </Form>
    </Dialog>
  );
}
