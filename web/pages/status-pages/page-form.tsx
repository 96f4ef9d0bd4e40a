import { useState, type ReactNode } from 'react';
import { useChange } from '../../app/api.ts';
import { BASE } from '../../app/place.ts';
import { updateStatusPage } from '../../client/sdk.gen.ts';
import type { StatusPage } from '../../client/types.gen.ts';
import { Card } from '../../parts/card.tsx';
import { Choose, Form, Input, TextArea, Tick } from '../../parts/form.tsx';
import { ZoneField } from '../../parts/zone-field.tsx';
import { words } from '../../words/index.ts';
import { arrangementOf, sectionsOf } from './arrangement.ts';
import { LANGUAGES, type PageLanguage } from './languages.ts';
import { ServicesEditor } from './services-editor.tsx';
import { ShowAutomatic } from './show-automatic.tsx';

/** Form of what the page says and shows. */
export function PageForm({ page, onSaved }: { page: StatusPage; onSaved: () => void }): ReactNode {
  const w = words.statusPages;
  const [name, setName] = useState(page.name);
  const [slug, setSlug] = useState(page.slug);
  const [description, setDescription] = useState(page.description ?? '');
  const [sections, setSections] = useState(() => sectionsOf(page));
  const [language, setLanguage] = useState(page.language);
  const [timezone, setTimezone] = useState(page.timezone);
  const [showAutomatic, setShowAutomatic] = useState(page.show_automatic);
  const [settings, setSettings] = useState({
    show_uptime_percentage: page.settings.show_uptime_percentage,
    show_response_time: page.settings.show_response_time,
    show_incident_history: page.settings.show_incident_history,
  });
  const save = useChange(
    () =>
      updateStatusPage({
        path: { id: page.id },
        body: {
          name,
          slug,
          description: description.trim() === '' ? null : description,
          ...arrangementOf(sections),
          language,
          timezone,
          show_automatic: showAutomatic,
          settings,
        },
      }),
    ['status-pages'],
  );
  return (
    <Card>
      <Form
        submit={words.common.save}
        onSubmit={async () => {
          await save.mutateAsync(undefined);
          onSaved();
        }}
      >
        <div className="fieldset">
          <Input name="name" label={w.name} value={name} onChange={setName} maxLength={100} />
          <Input
            name="slug"
            label={w.slug}
            hint={slug === page.slug ? `${location.origin}${BASE}/status/${slug}` : w.slugChanges}
            value={slug}
            onChange={setSlug}
            spellCheck={false}
          />
          <TextArea
            name="description"
            label={w.description}
            hint={w.markdownHint}
            isOptional
            rows={2}
            value={description}
            onChange={setDescription}
          />
        </div>
        <ServicesEditor sections={sections} onChange={setSections} />
        <fieldset className="fieldset">
          <legend>{w.shown}</legend>
          {(['show_uptime_percentage', 'show_response_time', 'show_incident_history'] as const).map(
            (key) => (
              <Tick
                key={key}
                name={`settings.${key}`}
                label={w.settings[key]}
                checked={settings[key]}
                onChange={(isOn) => setSettings({ ...settings, [key]: isOn })}
              />
            ),
          )}
          <ShowAutomatic
            name="show_automatic"
            label={w.automaticLabel}
            value={showAutomatic}
            onChange={setShowAutomatic}
          />
        </fieldset>
        <div className="fieldset sp-two">
          <Choose
            name="language"
            label={w.language}
            value={language}
            onChange={(value) => setLanguage(value as PageLanguage)}
            options={LANGUAGES}
          />
          <ZoneField name="timezone" label={w.timezone} value={timezone} onChange={setTimezone} />
        </div>
      </Form>
    </Card>
  );
}
