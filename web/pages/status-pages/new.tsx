import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { reread } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { STATUS_PAGE } from '../../app/fields.gen.ts';
import { BASE } from '../../app/place.ts';
import { useSession } from '../../app/session.ts';
import { LANGUAGES, type PageLanguage } from '../../lib/languages.ts';
import { Button } from '../../parts/button.tsx';
import { Choose, Form, Input, TextArea, Tick, useForm, ZoneField } from '../../parts/form.tsx';
import { useLeaveGuard } from '../../parts/leave-guard.ts';
import { MonitorPicker, useMonitors } from '../../parts/monitor-picker.tsx';
import { Card, NeedsRole, PageHead } from '../../parts/page.tsx';
import { Steps } from '../../parts/steps.tsx';
import { showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { BrandFields, brandOf, FileButton, NEW_BRAND } from './look-form.tsx';
import { AccessFields, accessDraft, accessOf } from './page-form.tsx';
import { Preview, useUnsaved } from './preview.tsx';
import { slugOf } from './slug.ts';

/** A new status page in three steps beside its preview: what it shows, how it looks, where it is and for whom. */
export default function NewStatusPagePage() {
  const w = words.statusPages;
  const mayCreate = useSession().isAtLeast('editor');
  return (
    <>
      <PageHead
        title={w.create}
        crumbs={[{ text: words.nav.statusPages, href: '/status-pages' }, { text: w.create }]}
        text={mayCreate ? undefined : <NeedsRole least="editor" />}
      />
      {mayCreate && <Wizard />}
    </>
  );
}

function Wizard() {
  const w = words.statusPages;
  const { zone } = useSession();
  const [, navigate] = useLocation();
  const [step, setStep] = useState(0);
  const steps = useRef<HTMLOListElement>(null);
  const [logo, setLogo] = useState<string | null>(null);
  /** Whether the button for a draft was pressed. */
  const isDraft = useRef(false);
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
    ...NEW_BRAND,
    ...accessDraft(),
  });
  // Its form is sent once a step.
  const [begun] = useState(draft);
  useLeaveGuard([draft, logo !== null], [begun, false]);
  const address = draft.slug ?? slugOf(draft.name);
  const groups = (monitors.data?.groups ?? []).flatMap((group) => {
    const ids = draft.monitors.filter((id) =>
      monitors.data?.monitors.some((m) => m.id === id && m.group_id === group.id),
    );
    return ids.length === 0 ? [] : [{ name: group.name, monitors: ids }];
  });
  const { name, description, language, timezone } = draft;
  const body = {
    name,
    language,
    timezone,
    description: description.trim() === '' ? null : description,
    brand: brandOf(draft),
    monitors: draft.monitors.map((id) => ({ id })),
    ...(draft.groups && { groups }),
  };
  useUnsaved('new', { ...body, name: name.trim() === '' ? w.create : name });
  const create = async () => {
    const asDraft = isDraft.current;
    isDraft.current = false;
    const page = await call('createStatusPage', {
      body: {
        ...body,
        ...(address !== '' && { slug: address }),
        access: accessOf(draft),
        draft: asDraft,
      },
    });
    if (logo !== null)
      await call('setStatusPageLogo', { path: { id: page.id }, body: { content: logo } }).catch(
        () => showToast(w.logoRefused),
      );
    await reread('status-pages');
    showToast(page.draft ? w.nowDraft : w.created(page.name));
    navigate(`/status-pages/${page.id}`);
  };
  /** The server says what is wrong before the next step. */
  const goOn = async () => {
    await call('previewStatusPage', { body });
    show(step + 1);
  };
  /** The pressed button goes away: without this the focus would be lost. */
  const show = (next: number) => {
    setStep(next);
    steps.current?.focus();
  };
  const isLast = step === w.steps.length - 1;
  return (
    <div className="cols2 sp-editor">
      <div>
        <Steps ref={steps} names={w.steps} step={step} />
        <Card>
          <Form
            {...form}
            key={step}
            submit={isLast ? w.publishPage : words.terms.goOn}
            onSubmit={isLast ? create : goOn}
            onCancel={step === 0 ? () => navigate('/status-pages') : undefined}
            actions={
              step > 0 && (
                <>
                  {isLast && (
                    <Button
                      type="submit"
                      onClick={() => {
                        isDraft.current = true;
                      }}
                    >
                      {w.saveDraft}
                    </Button>
                  )}
                  <Button look="ghost" onClick={() => show(step - 1)}>
                    {words.terms.back}
                  </Button>
                </>
              )
            }
          >
            {step === 0 && (
              <>
                <div className="fieldset">
                  <Input
                    name="name"
                    label={words.labels.title}
                    hint={w.nameHint}
                    placeholder={w.namePlaceholder}
                  />
                  <TextArea
                    name="description"
                    label={words.terms.description}
                    hint={w.markdownHint}
                    isOptional
                    rows={2}
                  />
                </div>
                <div className="fieldset">
                  <MonitorPicker name="monitors" label={w.services} />
                  <Tick name="groups" label={w.byGroup} hint={w.byGroupHint} />
                </div>
              </>
            )}
            {step === 1 && (
              <>
                <div className="fieldset">
                  <div className="line sm apart sp-image">
                    <span className="box sp-logo logo">
                      {logo !== null && (
                        <img
                          src={logo}
                          alt=""
                          onError={() => {
                            setLogo(null);
                            showToast(w.logoHint);
                          }}
                        />
                      )}
                    </span>
                    <span className="grow">
                      <span className="b">{w.imageNames.logo.label}</span>
                      <span className="hint">{w.logoHint}</span>
                    </span>
                    <FileButton label={w.chooseLogo} text={w.chooseLogo} onChoose={setLogo} />
                  </div>
                </div>
                <BrandFields accent={draft['brand.accent']} />
              </>
            )}
            {isLast && (
              <>
                <div className="fieldset">
                  <Input
                    name="slug"
                    label={words.labels.address}
                    prefix={`${location.host}${BASE}/status/`}
                    value={address}
                    spellCheck={false}
                  />
                  <div className="two">
                    <Choose name="language" label={words.labels.language} texts={LANGUAGES} />
                    <ZoneField name="timezone" label={words.labels.timezone} />
                  </div>
                </div>
                <fieldset className="fieldset">
                  <legend>{w.visibleTo}</legend>
                  <AccessFields />
                </fieldset>
              </>
            )}
          </Form>
        </Card>
      </div>
      <Preview id={null} name={name} logo={logo} />
    </div>
  );
}
