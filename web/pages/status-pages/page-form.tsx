import { type StatusPage } from '../../app/client.ts';
import { BASE } from '../../app/place.ts';
import { STATUS_PAGE } from '../../app/fields.gen.ts';
import { LANGUAGES } from '../../lib/languages.ts';
import {
  Choose,
  Form,
  Input,
  TextArea,
  Tick,
  useControl,
  useForm,
  ZoneField,
  ChoiceInput,
} from '../../parts/form.tsx';
import { useLeaveGuard } from '../../parts/leave-guard.ts';
import { Card } from '../../parts/page.tsx';
import { words } from '../../words/index.ts';
import { arrangementOf, sectionsOf } from './arrangement.ts';
import { savePage, useUnsaved } from './preview.tsx';
import { ServicesEditor, ShowAutomatic } from './services-editor.tsx';

const w = words.statusPages;

/** Form of what the page says and shows. */
export function PageForm({ page }: { page: StatusPage }) {
  const { draft, saved, set, form } = useForm(STATUS_PAGE, () => ({
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
  const { sections: arranged, description, ...others } = draft;
  const body = {
    ...others,
    description: description.trim() === '' ? null : description,
    ...arrangementOf(arranged),
  };
  useUnsaved('page', body);
  useLeaveGuard(draft, saved);
  return (
    <Card>
      <Form {...form} submit={words.common.save} onSubmit={() => savePage(page, body)}>
        <div className="fieldset">
          <Input name="name" label={words.labels.title} />
          <Input
            name="slug"
            label={words.labels.address}
            prefix={`${location.host}${BASE}/status/`}
            hint={slug === page.slug ? undefined : w.slugChanges}
            spellCheck={false}
          />
          <TextArea
            name="description"
            label={words.terms.description}
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
        <div className="fieldset two">
          <Choose name="language" label={words.labels.language} texts={LANGUAGES} />
          <ZoneField name="timezone" label={words.labels.timezone} />
        </div>
      </Form>
    </Card>
  );
}

const TYPES = ['public', 'password', 'members', 'addresses'] as const;

/** What a form holds of who may see a page: controls have flat names. */
export const accessDraft = (access?: StatusPage['access']) => ({
  'access.type': access?.type ?? ('public' as const),
  'access.password': '',
  'access.addresses': access?.addresses.join('\n') ?? '',
});

type AccessDraft = Omit<ReturnType<typeof accessDraft>, 'access.type'> & {
  'access.type': (typeof TYPES)[number];
};

/** Who may see a page by what a form holds, for the API. */
export function accessOf(draft: AccessDraft) {
  const type = draft['access.type'];
  const password = draft['access.password'];
  return {
    type,
    ...(type === 'password' && password !== '' && { password }),
    ...(type === 'addresses' && {
      addresses: draft['access.addresses'].split(/[\s,]+/).filter(Boolean),
    }),
  };
}

/** Controls of who may see a page. */
export function AccessFields({ isPasswordSet = false }: { isPasswordSet?: boolean }) {
  const { value: type, change } = useControl<AccessDraft['access.type']>('access.type');
  return (
    <>
      {TYPES.map((value) => (
        <ChoiceInput
          key={value}
          type="radio"
          name="access.type"
          value={value}
          checked={type === value}
          text={w.access[value]}
          hint={w.accessHints[value]}
          onChange={() => change(value)}
        />
      ))}
      {type === 'password' && (
        <Input
          name="access.password"
          type="password"
          autoComplete="new-password"
          label={isPasswordSet ? words.labels.newPassword : words.labels.password}
          hint={isPasswordSet ? w.passwordStays : w.passwordHint}
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
    </>
  );
}

/** Who may see a page. */
export function AccessForm({ page }: { page: StatusPage }) {
  const { draft, saved, set, form } = useForm<AccessDraft>(null, accessDraft(page.access));
  // A password that was saved is not shown.
  useLeaveGuard(draft, { ...saved, 'access.password': '' });
  const save = async () => {
    await savePage(page, { access: accessOf(draft) });
    set({ 'access.password': '' });
  };
  return (
    <Card>
      <Form {...form} submit={words.common.save} onSubmit={save}>
        <fieldset className="fieldset">
          <legend>{w.visibleTo}</legend>
          <AccessFields isPasswordSet={page.access.password_set} />
          <p className="notice">{w.accessEnds}</p>
        </fieldset>
      </Form>
    </Card>
  );
}
