import { useRead } from '../../app/api.ts';
import {
  call,
  type Announcement,
  type AnnouncementDetail,
  type AnnouncementUpdate,
  type StatusPage,
} from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import { ANNOUNCEMENT } from '../../app/fields.gen.ts';
import { fromWallTime, toWallMinute } from '../../lib/wall-time.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import {
  Choose,
  Input,
  TextArea,
  useControl,
  useForm,
  useFieldErrors,
  ChoiceInput,
} from '../../parts/form.tsx';
import { NotifyTick, withTexts } from '../../parts/mail-preview.tsx';
import { Markdown } from '../../parts/markdown.tsx';
import { MonitorPicker, useMonitors } from '../../parts/monitor-picker.tsx';
import { at } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { useTitleOf } from './announcement-row.tsx';
import { kindOf, nextState, STATES, type AnnouncementState, type Kind } from './facts.ts';
import { announced } from './preview.tsx';
import { useTemplates } from './templates.tsx';

const w = words.statusPages;

const HOUR_MS = 3_600_000;

/** Announces an incident or maintenance that a person knows of. */
export function NewAnnouncementDialog(props: {
  kind: Kind;
  page: StatusPage;
  onClose: () => void;
}) {
  const { kind, page, onClose } = props;
  const { zone } = useSession();
  const monitors = useMonitors();
  const { draft, set, form } = useForm(ANNOUNCEMENT, () => ({
    title: '',
    state: STATES[kind][0]!,
    impact: 'minor' as Announcement['impact'],
    text: '',
    monitors: [] as number[],
    status_pages: [page.id],
    notify: true,
    starts_at: toWallMinute(nextHour() + 24 * HOUR_MS, zone),
    ends_at: toWallMinute(nextHour() + 25 * HOUR_MS, zone),
  }));
  const names = draft.monitors.map(
    (id) =>
      page.services.find(({ monitor_id }) => monitor_id === id)?.label ??
      monitors.data?.monitors.find((monitor) => monitor.id === id)?.name ??
      w.monitorNumber(id),
  );
  const { impact, starts_at, ends_at, ...others } = draft;
  const ofKind = kind === 'incident' ? { impact } : timesOf({ starts_at, ends_at }, zone);
  const body = { kind, ...others, ...ofKind };
  const publish = () => announced(call('createAnnouncement', { body }), published(draft));
  return (
    <FormDialog
      title={w.newKind[kind]}
      size="large"
      {...form}
      submit={words.terms.publish}
      onSubmit={publish}
      onClose={onClose}
    >
      <div className="gap">
        <Input name="title" label={words.labels.title} hint={w.titleHint[kind]} />
        <div className="two">
          {kind === 'incident' ? <ImpactField /> : <TimeFields />}
          <StateField kind={kind} />
          <TemplateField
            kind={kind}
            names={names}
            onPick={({ title, ...change }) =>
              set({ ...change, ...(title !== null && draft.title === '' && { title }) })
            }
          />
        </div>
        <UpdateText />
        <MonitorPicker
          name="monitors"
          label={w.affected}
          only={page.services.map(({ monitor_id }) => monitor_id)}
        />
        <PageTicks />
        <NotifyTick
          publication={{ name: 'previewAnnouncement', body: withTexts(body, 'title', 'text') }}
        />
      </div>
    </FormDialog>
  );
}

/** What was done, to be said. */
function published({ notify }: { notify: boolean }): string {
  return notify ? words.statusPages.publishedAndSent : words.statusPages.published;
}

function nextHour(): number {
  return Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
}

/** A time that is none is sent as it was typed, so that the API says what is wrong. */
function timesOf({ starts_at, ends_at }: { starts_at: string; ends_at: string }, zone: string) {
  return {
    starts_at: fromWallTime(starts_at, zone) ?? starts_at,
    ends_at: fromWallTime(ends_at, zone) ?? ends_at,
  };
}

/** Changes title, impact, services, pages and planned times of an announcement. Nobody is notified. */
export function EditAnnouncementDialog(props: {
  announcement: AnnouncementDetail;
  page: StatusPage;
  onClose: () => void;
}) {
  const { announcement, page, onClose } = props;
  const { zone } = useSession();
  const { id, kind, origin, impact, monitors, status_pages, planned_until: until } = announcement;
  const { draft, form } = useForm(ANNOUNCEMENT, () => ({
    title: announcement.title ?? '',
    impact,
    monitors,
    status_pages,
    starts_at: toWallMinute(at(announcement.started_at), zone),
    ends_at: until === null ? '' : toWallMinute(at(until), zone),
  }));
  const hasTimes = kind === 'maintenance' && origin === 'person';
  const body = {
    title: draft.title.trim() === '' ? null : draft.title,
    monitors: draft.monitors,
    status_pages: draft.status_pages,
    ...(kind === 'incident' && { impact: draft.impact }),
    ...(hasTimes && timesOf(draft, zone)),
  };
  const save = () => announced(call('updateAnnouncement', { path: { id }, body }));
  return (
    <FormDialog title={w.editAnnouncement} size="large" {...form} onSubmit={save} onClose={onClose}>
      <div className="gap">
        {origin !== 'person' && <p className="notice">{w.takesOver}</p>}
        <Input name="title" label={words.labels.title} />
        {kind === 'incident' && <ImpactField />}
        {hasTimes && (
          <div className="two">
            <TimeFields />
          </div>
        )}
        <MonitorPicker
          name="monitors"
          label={w.affected}
          only={[...new Set([...page.services.map(({ monitor_id }) => monitor_id), ...monitors])]}
        />
        <PageTicks />
      </div>
    </FormDialog>
  );
}

/** Writes an update of an announcement, which visitors and subscribers read. */
export function UpdateDialog(props: { announcement: Announcement; onClose: () => void }) {
  const { announcement, onClose } = props;
  const { id, kind, impact } = announcement;
  const monitors = useMonitors();
  const titleOf = useTitleOf();
  const { draft, set, form } = useForm(ANNOUNCEMENT, {
    state: nextState(announcement),
    text: '',
    impact,
    notify: true,
  });
  const names = (monitors.data?.monitors ?? [])
    .filter((monitor) => announcement.monitors.includes(monitor.id))
    .map(({ name }) => name);
  const { impact: changed, ...others } = draft;
  const body = { ...others, ...(changed !== impact && { impact: changed }) };
  const publish = () =>
    announced(call('createAnnouncementUpdate', { path: { id }, body }), published(draft));
  return (
    <FormDialog
      title={w.updateFor(titleOf(announcement))}
      size="large"
      {...form}
      submit={words.terms.publish}
      onSubmit={publish}
      onClose={onClose}
    >
      <div className="gap">
        <div className="two">
          <StateField kind={kind} />
          <TemplateField
            kind={kind}
            names={names}
            onPick={({ state, text }) => set({ state, text })}
          />
        </div>
        <UpdateText />
        {kind === 'incident' && <ImpactField />}
        <NotifyTick
          publication={{
            name: 'previewAnnouncementUpdate',
            path: { id },
            body: withTexts(body, 'text'),
          }}
        />
      </div>
    </FormDialog>
  );
}

/** Corrects an update. Its former version is kept, and nobody is notified. */
export function EditUpdateDialog(props: {
  announcement: AnnouncementDetail;
  update: AnnouncementUpdate;
  onClose: () => void;
}) {
  const {
    announcement: { id, kind },
    update,
    onClose,
  } = props;
  const { draft, form } = useForm(null, { state: update.state, text: update.text ?? '' });
  const path = { id, update: update.id };
  const save = () => announced(call('updateAnnouncementUpdate', { path, body: draft }));
  return (
    <FormDialog title={w.editUpdate} size="large" {...form} onSubmit={save} onClose={onClose}>
      <div className="gap">
        <p className="notice">{w.editUpdateHint}</p>
        <StateField kind={kind} />
        <UpdateText />
      </div>
    </FormDialog>
  );
}

function ImpactField() {
  return <Choose name="impact" label={w.impact} texts={w.impacts} />;
}

function TimeFields() {
  const { zone } = useSession();
  return (
    <>
      <Input name="starts_at" type="datetime-local" label={w.begins} hint={zone} />
      <Input name="ends_at" type="datetime-local" label={w.plannedUntil} />
    </>
  );
}

/** List of states that an announcement of a kind can have. */
function StateField({ kind }: { kind: Kind }) {
  const { value } = useControl<AnnouncementState>('state');
  return (
    <Choose
      name="state"
      label={w.state}
      hint={value === STATES[kind].at(-1) ? w.endsIt : undefined}
      options={STATES[kind].map((state) => ({ value: state, text: w.states[state] }))}
    />
  );
}

/** List of templates for a kind, with names in the place of `{services}`; nothing where the team has none. */
function TemplateField(props: {
  kind: Kind;
  names: readonly string[];
  onPick: (template: { state: AnnouncementState; text: string; title: string | null }) => void;
}) {
  const { kind, names, onPick } = props;
  const all = useTemplates().data?.data ?? [];
  const fitting = all.filter(({ state }) => kindOf(state) === kind);
  const services = names.length === 0 ? w.ourServices : names.join(', ');
  const filled = (text: string) => text.replaceAll('{services}', services);
  if (fitting.length === 0) return null;
  return (
    <Choose
      name="template_id"
      label={w.template}
      value=""
      onChange={(id) => {
        const { state, text, title = null } = fitting.find((one) => String(one.id) === id) ?? {};
        if (state !== undefined && text !== undefined)
          onPick({ state, text: filled(text), title: title && filled(title) });
      }}
      none={w.pickTemplate}
      options={fitting.map(({ id, name }) => ({ value: String(id), text: name }))}
    />
  );
}

/** Text of an update with its preview below. */
function UpdateText() {
  const { value } = useControl<string>('text');
  return (
    <>
      <TextArea name="text" label={w.text} hint={w.markdownHint} rows={5} />
      {value.trim() !== '' && (
        <div className="gap box sp-text-preview">
          <p className="xs faint">{w.visitorsRead}</p>
          <Markdown text={value} />
        </div>
      )}
    </>
  );
}

/** Boxes to tick for the pages that show an announcement; nothing where the team has one page only. */
function PageTicks() {
  const { value, change } = useControl<number[]>('status_pages');
  const pages = useRead('listStatusPages', { query: { per_page: 100, sort: 'title' } });
  const [error] = useFieldErrors('status_pages');
  if (pages.data === undefined || pages.data.total < 2) {
    return error === undefined ? null : <p className="errors">{error}</p>;
  }
  return (
    <fieldset className="picker">
      <legend>{words.statusPages.onPages}</legend>
      {pages.data.data.map(({ id, name }) => (
        <ChoiceInput
          key={id}
          name="status_pages"
          checked={value.includes(id)}
          text={name}
          onChange={(isOn) => change(isOn ? [...value, id] : value.filter((other) => other !== id))}
        />
      ))}
      {error && <p className="error">{error}</p>}
    </fieldset>
  );
}
