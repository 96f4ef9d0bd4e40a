import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useChange } from '../../app/api.ts';
import { BASE } from '../../app/place.ts';
import { useSession } from '../../app/session.tsx';
import { createStatusPage } from '../../client/sdk.gen.ts';
import { Card } from '../../parts/card.tsx';
import { Choose, Form, Input, TextArea, Tick } from '../../parts/form.tsx';
import { MonitorPicker, useMonitors } from '../../parts/monitor-picker.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { say } from '../../parts/toast.tsx';
import { ZoneField } from '../../parts/zone-field.tsx';
import { NeedsRole } from '../../parts/needs-role.tsx';
import { words } from '../../words/index.ts';
import { LANGUAGES, type PageLanguage } from './languages.ts';
import { slugOf } from './slug.ts';

/** Form for a new status page: a title and services suffice, everything else is edited beside the page. */
export default function NewStatusPagePage(): ReactNode {
  const w = words.statusPages;
  const { isAtLeast, zone } = useSession();
  const [, navigate] = useLocation();
  const monitors = useMonitors();
  const [name, setName] = useState('');
  const [slug, setSlug] = useState<string | null>(null);
  const [description, setDescription] = useState('');
  const [picked, setPicked] = useState<number[]>([]);
  const [byGroup, setByGroup] = useState(true);
  const [language, setLanguage] = useState<PageLanguage>(
    words.time.locale.startsWith('de') ? 'de' : 'en',
  );
  const [timezone, setTimezone] = useState(zone);
  const address = slug ?? slugOf(name);
  const groups = () =>
    (monitors.data?.groups ?? []).flatMap((group) => {
      const ids = picked.filter((id) =>
        monitors.data?.monitors.some((m) => m.id === id && m.group_id === group.id),
      );
      return ids.length === 0 ? [] : [{ name: group.name, monitors: ids }];
    });
  const create = useChange(
    () =>
      createStatusPage({
        body: {
          name,
          ...(address !== '' && { slug: address }),
          description: description.trim() === '' ? null : description,
          monitors: picked.map((id) => ({ id })),
          ...(byGroup && { groups: groups() }),
          language,
          timezone,
        },
      }),
    ['status-pages'],
  );
  const crumbs = [{ text: w.title, href: '/status-pages' }, { text: w.create }];
  if (!isAtLeast('editor'))
    return <PageHead title={w.create} crumbs={crumbs} text={<NeedsRole least="editor" />} />;
  return (
    <>
      <PageHead title={w.create} crumbs={crumbs} text={w.createHint} />
      <Card className="narrow">
        <Form
          submit={w.createAction}
          onCancel={() => navigate('/status-pages')}
          onSubmit={async () => {
            const page = await create.mutateAsync(undefined);
            say(w.created(page.name));
            navigate(`/status-pages/${page.id}`);
          }}
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
            <Input
              name="slug"
              label={w.slug}
              hint={w.slugHint(
                `${location.origin}${BASE}/status/${address === '' ? '…' : address}`,
              )}
              value={address}
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
          <div className="fieldset">
            <MonitorPicker
              name="monitors"
              label={w.services}
              picked={picked}
              onChange={setPicked}
            />
            <Tick
              name="groups"
              label={w.byGroup}
              hint={w.byGroupHint}
              checked={byGroup}
              onChange={setByGroup}
            />
          </div>
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
    </>
  );
}
