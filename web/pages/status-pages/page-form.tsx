import { reread } from '../../app/api.ts';
import { call, type StatusPage } from '../../app/client.ts';
import { BASE } from '../../app/place.ts';
import { STATUS_PAGE } from '../../app/fields.gen.ts';
import { LANGUAGES } from '../../lib/languages.ts';
import {
  Choose,
  Form,
  Input,
  TextArea,
  Tick,
  useForm,
  ZoneField,
  ChoiceInput,
} from '../../parts/form.tsx';
import { Card } from '../../parts/page.tsx';
import { words } from '../../words/index.ts';
import { arrangementOf, sectionsOf } from './arrangement.ts';
import { pageSaved } from './preview.tsx';
import { ServicesEditor, ShowAutomatic } from './services-editor.tsx';

/** Form of what the page says and shows. */
export function PageForm({ page }: { page: StatusPage }) {
  const w = words.statusPages;
  const { draft, set, form } = useForm(STATUS_PAGE, () => ({
    name: page.name,
    slug: page.slug,
    description: page.description ?? '',
    sections: sectionsOf(page),
    language: page.language,
    timezone: page.timezone,
    show_automatic: page.show_automatic,
    settings: {
      show_uptime_percentage: page.settings.show_uptime_percentage,
      show_response_time: page.settings.show_response_time,
      show_incident_history: page.settings.show_incident_history,
    },
  }));
  const { slug, sections, settings } = draft;
  const save = async () => {
    const { sections: arranged, description, ...body } = draft;
    await call('updateStatusPage', {
      path: { id: page.id },
      body: {
        ...body,
        description: description.trim() === '' ? null : description,
        ...arrangementOf(arranged),
      },
    });
    await reread('status-pages');
    pageSaved();
  };
  return (
    <Card>
      <Form {...form} submit={words.common.save} onSubmit={save}>
        <div className="fieldset">
          <Input name="name" label={words.labels.title} />
          <Input
            name="slug"
            label={words.labels.address}
            hint={slug === page.slug ? `${location.origin}${BASE}/status/${slug}` : w.slugChanges}
            spellCheck={false}
          />
          <TextArea
            name="description"
            label={w.description}
            hint={w.markdownHint}
            isOptional
            rows={2}
          />
        </div>
        <ServicesEditor sections={sections} onChange={(changed) => set({ sections: changed })} />
        <fieldset className="fieldset">
          <legend>{w.shown}</legend>
          {(['show_uptime_percentage', 'show_response_time', 'show_incident_history'] as const).map(
            (key) => (
              <Tick
                key={key}
                name={`settings.${key}`}
                label={w.settings[key]}
                checked={settings[key]}
                onChange={(isOn) => set({ settings: { ...settings, [key]: isOn } })}
              />
            ),
          )}
          <ShowAutomatic
            name="show_automatic"
            value={draft.show_automatic}
            onChange={(show_automatic) => set({ show_automatic })}
          />
        </fieldset>
        <div className="fieldset sp-two">
          <Choose name="language" label={words.labels.language} texts={LANGUAGES} />
          <ZoneField name="timezone" label={words.labels.timezone} />
        </div>
      </Form>
    </Card>
  );
}

const TYPES = ['public', 'password', 'members', 'addresses'] as const;

/** Who may see a page. */
export function AccessForm({ page }: { page: StatusPage }) {
  const w = words.statusPages;
  const { draft, set, form } = useForm(null, {
    type: page.access.type,
    'access.password': '',
    'access.addresses': page.access.addresses.join('\n'),
  });
  const { type, 'access.password': password, 'access.addresses': addresses } = draft;
  const save = async () => {
    const access = {
      type,
      ...(type === 'password' && password !== '' && { password }),
      ...(type === 'addresses' && { addresses: addresses.split(/[\s,]+/).filter(Boolean) }),
    };
    await call('updateStatusPage', { path: { id: page.id }, body: { access } });
    await reread('status-pages');
    set({ 'access.password': '' });
    pageSaved();
  };
  return (
    <Card>
      <Form {...form} submit={words.common.save} onSubmit={save}>
        <fieldset className="fieldset">
          <legend>{w.visibleTo}</legend>
          {TYPES.map((value) => (
            <ChoiceInput
              key={value}
              type="radio"
              name="access.type"
              value={value}
              checked={type === value}
              text={w.access[value]}
              hint={w.accessHints[value]}
              onChange={() => set({ type: value })}
            />
          ))}
          {type === 'password' && (
            <Input
              name="access.password"
              type="password"
              autoComplete="new-password"
              label={page.access.password_set ? words.labels.newPassword : words.labels.password}
              hint={page.access.password_set ? w.passwordStays : w.passwordHint}
            />
          )}
          {type === 'addresses' && (
            <TextArea
              name="access.addresses"
              className="control mono"
              label={w.addresses}
              hint={w.addressesHint}
              rows={5}
            />
          )}
          <p className="notice">{w.accessEnds}</p>
        </fieldset>
      </Form>
    </Card>
  );
}
