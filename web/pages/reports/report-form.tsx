import { useRead } from '../../app/api.ts';
import { type Report } from '../../app/client.ts';
import { collection } from '../../app/collection.ts';
import { useSession } from '../../app/session.ts';
import { REPORT } from '../../app/fields.gen.ts';
import { LANGUAGES } from '../../lib/languages.ts';
import { Choose, ChooseId, Form, Input, TextArea, useForm, ZoneField } from '../../parts/form.tsx';
import { useLeaveGuard } from '../../parts/leave-guard.ts';
import { words } from '../../words/index.ts';
import { useTeamNames } from '../../app/names.ts';
import { PickMany } from '../../parts/pick-many.tsx';
import { CoverPreview } from './cover-preview.tsx';

export const reportCollection = collection('Report', {
  texts: () => ({ created: words.dialog.saved, saved: () => words.terms.saved }),
});

/** Form of a saved report; null for a new one. */
export function ReportForm(props: {
  report: Report | null;
  onSaved: (report: { id: number }) => void;
  onCancel: () => void;
}) {
  const { report, onSaved, onCancel } = props;
  const w = words.reports;
  const { zone } = useSession();
  const { draft, saved, set, form } = useForm(REPORT, () => ({
    name: report?.name ?? '',
    monitors: report?.monitors ?? [],
    group_id: report?.group_id ?? null,
    tags: report?.tags ?? [],
    period: report?.period ?? 'last_month',
    frequency: report?.frequency ?? 'monthly',
    recipients: (report?.recipients ?? []).join('\n'),
    timezone: report?.timezone ?? zone,
    language: report?.language ?? (words.time.locale.startsWith('de') ? 'de' : 'en'),
    status_page_id: report?.status_page_id ?? null,
  }));
  const pages = useRead('listStatusPages', { query: { per_page: 100, sort: 'title' } });
  useLeaveGuard(draft, saved);
  const save = async () => {
    const recipients = draft.recipients.split(/[\s,;]+/).filter(Boolean);
    onSaved(await reportCollection.save(report?.id ?? null, { ...draft, recipients }));
  };
  return (
    <Form
      {...form}
      submit={report === null ? w.createAction : words.common.save}
      onCancel={onCancel}
      onSubmit={save}
    >
      <div className="fieldset">
        <Input name="name" label={words.labels.name} hint={w.nameHint} />
      </div>
      <fieldset className="fieldset">
        <legend>{w.about}</legend>
        <ScopeFields value={draft} onChange={set} />
      </fieldset>
      <fieldset className="fieldset">
        <legend>{w.sending}</legend>
        <div className="two">
          <Choose name="period" label={words.labels.period} texts={w.periods} />
          <Choose
            name="frequency"
            label={w.frequency}
            hint={w.frequencyHint}
            texts={w.frequencies}
          />
        </div>
        <TextArea
          name="recipients"
          label={w.recipients}
          hint={w.recipientsHint}
          isOptional
          rows={3}
        />
        {report !== null && report.unsubscribed.length > 0 && (
          <p className="notice">{w.unsubscribed(report.unsubscribed.join(', '))}</p>
        )}
        <div className="two">
          <ZoneField name="timezone" label={words.labels.timezone} />
          <Choose name="language" label={words.labels.language} texts={LANGUAGES} />
          <ChooseId
            name="status_page_id"
            label={w.logoOf}
            hint={w.logoHint}
            none={w.noLogo}
            all={pages.data?.data ?? []}
          />
        </div>
      </fieldset>
      <CoverPreview report={draft} />
    </Form>
  );
}

/** Monitors that a report is about: those that match any of these, and all without. */
export type ReportScope = Pick<Report, 'monitors' | 'group_id' | 'tags'>;

export function ScopeFields(props: {
  value: ReportScope;
  onChange: (change: Partial<ReportScope>) => void;
}) {
  const {
    value: { monitors, group_id, tags: picked },
    onChange,
  } = props;
  const w = words.reports;
  const names = useTeamNames();
  return (
    <>
      <p className="xs dim">{w.scopeHint}</p>
      <PickMany
        name="monitors"
        label={words.nav.monitors}
        all={names.monitors}
        value={monitors}
        onChange={(ids) => onChange({ monitors: ids })}
      />
      <div className="two">
        <ChooseId
          name="group_id"
          label={words.labels.group}
          isOptional
          value={group_id}
          onChange={(id) => onChange({ group_id: id })}
          none={words.common.none}
          all={names.groups}
        />
        <PickMany
          name="tags"
          label={words.labels.tags}
          all={names.tags.map((tag) => ({ id: tag, name: tag }))}
          value={picked}
          onChange={(tags) => onChange({ tags })}
        />
      </div>
    </>
  );
}
