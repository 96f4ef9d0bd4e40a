import { useLocation } from 'wouter';
import { reread } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { BASE } from '../../app/place.ts';
import { useSession } from '../../app/session.ts';
import { STATUS_PAGE } from '../../app/fields.gen.ts';
import { LANGUAGES, type PageLanguage } from '../../lib/languages.ts';
import { Choose, Form, Input, TextArea, Tick, useForm, ZoneField } from '../../parts/form.tsx';
import { MonitorPicker, useMonitors } from '../../parts/monitor-picker.tsx';
import { NewPage } from '../../parts/page.tsx';
import { showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { slugOf } from './slug.ts';

/** Form for a new status page: a title and services suffice, everything else is edited beside the page. */
export default function NewStatusPagePage() {
  const w = words.statusPages;
  const { zone } = useSession();
  const [, navigate] = useLocation();
  const monitors = useMonitors();
  const { draft, form } = useForm(STATUS_PAGE, {
    name: '',
    /** Null as long as it follows from the name. */
    slug: null as string | null,
    description: '',
    monitors: [] as number[],
    groups: true,
    language: (words.time.locale.startsWith('de') ? 'de' : 'en') as PageLanguage,
    timezone: zone,
  });
  const address = draft.slug ?? slugOf(draft.name);
  const groups = () =>
    (monitors.data?.groups ?? []).flatMap((group) => {
      const ids = draft.monitors.filter((id) =>
        monitors.data?.monitors.some((m) => m.id === id && m.group_id === group.id),
      );
      return ids.length === 0 ? [] : [{ name: group.name, monitors: ids }];
    });
  const create = async () => {
    const { slug: _slug, description, monitors: picked, groups: byGroup, ...body } = draft;
    const page = await call('createStatusPage', {
      body: {
        ...body,
        ...(address !== '' && { slug: address }),
        description: description.trim() === '' ? null : description,
        monitors: picked.map((id) => ({ id })),
        ...(byGroup && { groups: groups() }),
      },
    });
    await reread('status-pages');
    showToast(w.created(page.name));
    navigate(`/status-pages/${page.id}`);
  };
  return (
    <NewPage
      least="editor"
      title={w.create}
      crumbs={[{ text: words.nav.statusPages, href: '/status-pages' }, { text: w.create }]}
      text={w.createHint}
    >
      <Form
        {...form}
        submit={w.createAction}
        onCancel={() => navigate('/status-pages')}
        onSubmit={create}
      >
        <div className="fieldset">
          <Input name="name" label={words.labels.title} hint={w.nameHint} />
          <Input
            name="slug"
            label={words.labels.address}
            hint={w.slugHint(`${location.origin}${BASE}/status/${address === '' ? '…' : address}`)}
            value={address}
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
        <div className="fieldset">
          <MonitorPicker name="monitors" label={w.services} />
          <Tick name="groups" label={w.byGroup} hint={w.byGroupHint} />
        </div>
        <div className="fieldset sp-two">
          <Choose name="language" label={words.labels.language} texts={LANGUAGES} />
          <ZoneField name="timezone" label={words.labels.timezone} />
        </div>
      </Form>
    </NewPage>
  );
}
