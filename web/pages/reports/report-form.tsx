import { useState, type ReactNode } from 'react';
import { useChange, useRead } from '../../app/api.ts';
import { useSession } from '../../app/session.tsx';
import { createReport, listStatusPages, updateReport } from '../../client/sdk.gen.ts';
import type { Report } from '../../client/types.gen.ts';
import { Choose, Form, Input, TextArea } from '../../parts/form.tsx';
import { ZoneField } from '../../parts/zone-field.tsx';
import { words } from '../../words/index.ts';
import { PERIODS, type PeriodName } from './period.ts';
import { ScopeFields, type ScopeValue } from './scope-fields.tsx';

const FREQUENCIES = ['none', 'weekly', 'monthly'] as const;
const LANGUAGES = [
  { value: 'en', text: 'English' },
  { value: 'de', text: 'Deutsch' },
  { value: 'fr', text: 'Français' },
  { value: 'es', text: 'Español' },
] as const;

/** Form of a saved report; null for a new one. */
export function ReportForm({
  report,
  onSaved,
  onCancel,
}: {
  report: Report | null;
  onSaved: (report: Report) => void;
  onCancel: () => void;
}): ReactNode {
  const w = words.reports;
  const { zone } = useSession();
  const [name, setName] = useState(report?.name ?? '');
  const [scope, setScope] = useState<ScopeValue>({
    monitors: report?.monitors ?? [],
    groupId: report?.group_id ?? null,
    tags: report?.tags ?? [],
  });
  const [period, setPeriod] = useState<PeriodName>(report?.period ?? 'last_month');
  const [frequency, setFrequency] = useState<Report['frequency']>(report?.frequency ?? 'monthly');
  const [recipients, setRecipients] = useState((report?.recipients ?? []).join('\n'));
  const [timezone, setTimezone] = useState(report?.timezone ?? zone);
  const [language, setLanguage] = useState<Report['language']>(
    report?.language ?? (words.time.locale.startsWith('de') ? 'de' : 'en'),
  );
  const [logoPage, setLogoPage] = useState(report?.status_page_id ?? null);
  const pages = useRead(['status-pages', 'all'], () =>
    listStatusPages({ query: { per_page: 100, sort: 'title' } }),
  );
  const body = {
    name,
    monitors: scope.monitors,
    group_id: scope.groupId,
    tags: scope.tags,
    period,
    frequency,
    recipients: recipients.split(/[\s,;]+/).filter(Boolean),
    timezone,
    language,
    status_page_id: logoPage,
  };
  const save = useChange(
    () =>
      report === null ? createReport({ body }) : updateReport({ path: { id: report.id }, body }),
    ['reports'],
  );
  return (
    <Form
      submit={report === null ? w.createAction : words.common.save}
      onCancel={onCancel}
      onSubmit={async () => onSaved(await save.mutateAsync(undefined))}
    >
      <div className="fieldset">
        <Input
          name="name"
          label={w.name}
          hint={w.nameHint}
          value={name}
          onChange={setName}
          maxLength={100}
        />
      </div>
      <fieldset className="fieldset">
        <legend>{w.about}</legend>
        <ScopeFields value={scope} onChange={setScope} />
      </fieldset>
      <fieldset className="fieldset">
        <legend>{w.sending}</legend>
        <div className="rp-two">
          <Choose
            name="period"
            label={w.period}
            value={period}
            onChange={(value) => setPeriod(value as PeriodName)}
            options={PERIODS.map((value) => ({ value, text: w.periods[value] }))}
          />
          <Choose
            name="frequency"
            label={w.frequency}
            hint={w.frequencyHint}
            value={frequency}
            onChange={(value) => setFrequency(value as Report['frequency'])}
            options={FREQUENCIES.map((value) => ({ value, text: w.frequencies[value] }))}
          />
        </div>
        <TextArea
          name="recipients"
          label={w.recipients}
          hint={w.recipientsHint}
          isOptional
          rows={3}
          value={recipients}
          onChange={setRecipients}
        />
        {report !== null && report.unsubscribed.length > 0 && (
          <p className="notice">{w.unsubscribed(report.unsubscribed.join(', '))}</p>
        )}
        <div className="rp-two">
          <ZoneField name="timezone" label={w.timezone} value={timezone} onChange={setTimezone} />
          <Choose
            name="language"
            label={w.language}
            value={language}
            onChange={(value) => setLanguage(value as Report['language'])}
            options={LANGUAGES}
          />
          <Choose
            name="status_page_id"
            label={w.logoOf}
            hint={w.logoHint}
            value={logoPage === null ? '' : String(logoPage)}
            onChange={(id) => setLogoPage(id === '' ? null : Number(id))}
            options={[
              { value: '', text: w.noLogo },
              ...(pages.data?.data ?? []).map(({ id, name: text }) => ({
                value: String(id),
                text,
              })),
            ]}
          />
        </div>
      </fieldset>
    </Form>
  );
}
