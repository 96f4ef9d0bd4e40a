import { useRef } from 'react';
import { call, type StatusPage } from '../../app/client.ts';
import { STATUS_PAGE } from '../../app/fields.gen.ts';
import { BASE } from '../../app/place.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Choose, Form, Input, TextArea, useControl, useForm } from '../../parts/form.tsx';
import { useLeaveGuard } from '../../parts/leave-guard.ts';
import { Card } from '../../parts/page.tsx';
import { showToast, useAct } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { readLook, TOKENS, writeLook, type Pair, type Token } from './look.ts';
import { pageSaved, savePage, useUnsaved } from './preview.tsx';

const w = words.statusPages;

/** Colors that a page has unless others are chosen, as color fields need them. */
const USUAL: Record<Token, Pair> = {
  '--bg': { light: '#fafafb', dark: '#0c0d10' },
  '--surface': { light: '#ffffff', dark: '#131519' },
  '--text': { light: '#14161b', dark: '#f0f1f3' },
};

type Brand = StatusPage['brand'];

/** What a form says and holds of a brand: controls have flat names. */
const flat = ({ accent, font, layout, links }: Brand) => ({
  'brand.accent': accent,
  'brand.font': font,
  'brand.layout': layout,
  'brand.links.site': links.site ?? '',
  'brand.links.contact': links.contact?.replace(/^mailto:/, '') ?? '',
  'brand.links.terms': links.terms ?? '',
});

export type BrandDraft = ReturnType<typeof flat>;

export const NEW_BRAND = flat({
  accent: null,
  font: 'system',
  layout: 'narrow',
  links: { site: null, contact: null, terms: null },
});

/** The brand that a form holds, for the API. */
export function brandOf(draft: BrandDraft): Brand {
  const link = (name: 'site' | 'contact' | 'terms') => draft[`brand.links.${name}`].trim() || null;
  return {
    accent: draft['brand.accent'],
    font: draft['brand.font'],
    layout: draft['brand.layout'],
    links: { site: link('site'), contact: link('contact'), terms: link('terms') },
  };
}

/** Controls of a brand, in a form whose draft has one. */
export function BrandFields({ accent }: { accent: string | null }) {
  return (
    <>
      <fieldset className="fieldset">
        <legend>{w.brand}</legend>
        <AccentField accent={accent} />
        <div className="two">
          <Choose name="brand.font" label={w.font} texts={w.fonts} />
          <Choose name="brand.layout" label={w.layout} texts={w.layouts} />
        </div>
      </fieldset>
      <fieldset className="fieldset">
        <legend>{w.links}</legend>
        <p className="xs dim">{w.linksHint}</p>
        {(['site', 'contact', 'terms'] as const).map((name) => (
          <Input
            key={name}
            name={`brand.links.${name}`}
            label={w.linkNames[name]}
            placeholder={w.linkExamples[name]}
            spellCheck={false}
            isOptional
          />
        ))}
      </fieldset>
    </>
  );
}

function AccentField({ accent }: { accent: string | null }) {
  const { change } = useControl<string | null>('brand.accent');
  return (
    <div className="input">
      <div className="line sm apart sp-color">
        <span className="grow">
          {w.accent}
          <span className="hint">{w.accentHint}</span>
        </span>
        {accent !== null && <code className="xs">{accent}</code>}
        <input
          type="color"
          name="brand.accent"
          aria-label={w.accent}
          className={accent === null ? 'none' : ''}
          value={accent ?? NO_ACCENT}
          onChange={(event) => change(event.target.value)}
        />
        <IconButton
          icon="cross"
          label={w.noAccent}
          isDisabled={accent === null}
          onClick={() => change(null)}
        />
      </div>
    </div>
  );
}

/** Shown by the color field of a page without an accent. */
const NO_ACCENT = '#1f60d4';

/** Images, brand, colors and custom CSS of a page. */
export function LookForm({ page }: { page: StatusPage }) {
  const { draft, saved, set, form } = useForm(STATUS_PAGE, () => ({
    ...flat(page.brand),
    look: readLook(page.settings.custom_css ?? ''),
  }));
  const { look } = draft;
  const body = { brand: brandOf(draft), settings: { custom_css: writeLook(look) } };
  useUnsaved('look', body);
  useLeaveGuard(draft, saved);
  const setColor = (token: Token, pair: Pair | null) => {
    const { [token]: _former, ...others } = look.colors;
    set({ look: { ...look, colors: pair === null ? others : { ...others, [token]: pair } } });
  };
  return (
    <div className="stack">
      <ImagesCard page={page} />
      <Card>
        <Form {...form} submit={words.common.save} onSubmit={() => savePage(page, body)}>
          <BrandFields accent={draft['brand.accent']} />
          <details
            className="fieldset"
            open={look.css !== '' || Object.keys(look.colors).length > 0}
          >
            <summary>{w.moreLook}</summary>
            <p className="xs dim">{w.colorsHint}</p>
            {TOKENS.map((token) => (
              <ColorRow
                key={token}
                name={w.tokens[token]}
                pair={look.colors[token] ?? null}
                usual={USUAL[token]}
                onChange={(pair) => setColor(token, pair)}
              />
            ))}
            <TextArea
              name="settings.custom_css"
              label={w.css}
              hint={w.cssHint}
              className="control mono"
              spellCheck={false}
              rows={10}
              value={look.css}
              onChange={(css) => set({ look: { ...look, css } })}
            />
          </details>
        </Form>
      </Card>
    </div>
  );
}

function ColorRow(props: {
  name: string;
  pair: Pair | null;
  usual: Pair;
  onChange: (pair: Pair | null) => void;
}) {
  const { name, pair, usual, onChange } = props;
  const shown = pair ?? usual;
  return (
    <div className="line sm apart sp-color">
      <span className="grow">{name}</span>
      {(['light', 'dark'] as const).map((scheme) => (
        <label key={scheme} className="near xs dim">
          <input
            type="color"
            value={shown[scheme]}
            aria-label={`${name}, ${w.schemes[scheme]}`}
            onChange={(event) => onChange({ ...shown, [scheme]: event.target.value })}
          />
          {w.schemes[scheme]}
        </label>
      ))}
      <IconButton
        icon="refresh"
        label={w.usualColor(name)}
        isDisabled={pair === null}
        onClick={() => onChange(null)}
      />
    </div>
  );
}

const IMAGES = ['logo', 'logo_dark', 'favicon', 'social_image'] as const;

/** Images of a page: each is sent as soon as its file is chosen. */
function ImagesCard({ page }: { page: StatusPage }) {
  return (
    <Card title={w.images}>
      <div className="inset gap">
        <p className="xs dim">{w.logoHint}</p>
        {IMAGES.map((name) => (
          <ImageRow key={name} page={page} name={name} />
        ))}
      </div>
    </Card>
  );
}

function ImageRow({ page, name }: { page: StatusPage; name: (typeof IMAGES)[number] }) {
  const { label, hint } = words.statusPages.imageNames[name];
  const url = page[`${name}_url`];
  const path = { id: page.id, image: name };
  const upload = useAct((content: string) =>
    pageSaved(call('setStatusPageImage', { path, body: { content } })),
  );
  const remove = useAct(() => pageSaved(call('deleteStatusPageImage', { path })));
  return (
    <div className="line sm apart sp-image">
      <span className={`box sp-logo ${name}`}>
        {url !== null && <img src={imagePath(url, page.updated_at)} alt={label} />}
      </span>
      <span className="grow">
        <span className="b">{label}</span>
        <span className="hint">{hint}</span>
      </span>
      <FileButton
        label={`${url === null ? words.statusPages.chooseLogo : words.labels.replace}: ${label}`}
        text={url === null ? words.statusPages.chooseLogo : words.labels.replace}
        isBusy={upload.isBusy}
        onChoose={(content) => void upload.run(content)}
      />
      {url !== null && (
        <IconButton
          icon="trash"
          label={`${words.labels.remove}: ${label}`}
          isDisabled={remove.isBusy}
          onClick={() => void remove.run()}
        />
      )}
    </div>
  );
}

/** Button that takes an image file. @param props.onChoose gets the file as a data URL. */
export function FileButton(props: {
  label: string;
  text: string;
  isBusy?: boolean;
  onChoose: (content: string) => void;
}) {
  const { label, text, isBusy = false, onChoose } = props;
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        className="vh"
        type="file"
        tabIndex={-1}
        aria-label={label}
        accept="image/png,image/jpeg,image/svg+xml"
        onChange={async ({ target }) => {
          const [file] = target.files ?? [];
          target.value = '';
          if (file === undefined) return;
          if (file.size > 512 * 1_024) showToast(words.statusPages.logoTooLarge);
          else onChoose(await dataUrl(file));
        }}
      />
      <Button aria-label={label} isDisabled={isBusy} onClick={() => input.current?.click()}>
        {text}
      </Button>
    </>
  );
}

/** Path on the dashboard's own origin, where a draft and a restricted page show it; the time keeps a former one out. */
function imagePath(url: string, changedAt: string): string {
  const [document, slug] = new URL(url).pathname.split('/').toReversed();
  return `${BASE}/status/${slug}/${document}?${Date.parse(changedAt)}`;
}

function dataUrl(file: File): Promise<string> {
  const reader = new FileReader();
  return new Promise((resolve, reject) => {
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error!));
    reader.readAsDataURL(file);
  });
}
