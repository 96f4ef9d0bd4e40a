import { useId, useRef, useState } from 'react';
import { reread } from '../../app/api.ts';
import { call, type StatusPage } from '../../app/client.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Form, TextArea } from '../../parts/form.tsx';
import { Card } from '../../parts/page.tsx';
import { showToast, useAct } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { readLook, TOKENS, writeLook, type Pair, type Token } from './look.ts';
import { pageSaved } from './preview.tsx';

/** Colors that a page has unless others are chosen, as color fields need them. */
const USUAL: Record<Token, Pair> = {
  '--bg': { light: '#fafafb', dark: '#0c0d10' },
  '--surface': { light: '#ffffff', dark: '#131519' },
  '--text': { light: '#14161b', dark: '#f0f1f3' },
  '--accent': { light: '#1f5fd6', dark: '#7fa9f5' },
};

/** Logo, colors and custom CSS of a page. */
export function LookForm({ page }: { page: StatusPage }) {
  const w = words.statusPages;
  const [look, setLook] = useState(() => readLook(page.settings.custom_css ?? ''));
  const save = async () => {
    await call('updateStatusPage', {
      path: { id: page.id },
      body: { settings: { custom_css: writeLook(look) } },
    });
    await reread('status-pages');
    pageSaved();
  };
  const setColor = (token: Token, pair: Pair | null) => {
    const { [token]: _former, ...others } = look.colors;
    setLook({ ...look, colors: pair === null ? others : { ...others, [token]: pair } });
  };
  return (
    <div className="stack">
      <LogoCard page={page} />
      <Card>
        <Form submit={words.common.save} onSubmit={save}>
          <fieldset className="fieldset">
            <legend>{w.colors}</legend>
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
          </fieldset>
          <div className="fieldset">
            <TextArea
              name="settings.custom_css"
              label={w.css}
              hint={w.cssHint}
              className="control mono"
              spellCheck={false}
              rows={10}
              value={look.css}
              onChange={(css) => setLook({ ...look, css })}
            />
          </div>
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
  const w = words.statusPages;
  const shown = pair ?? usual;
  return (
    <div className="sp-color">
      <span className="sp-grow">{name}</span>
      {(['light', 'dark'] as const).map((scheme) => (
        <label key={scheme} className="xs dim">
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
        look="ghost"
        icon="refresh"
        label={w.usualColor(name)}
        isDisabled={pair === null}
        onClick={() => onChange(null)}
      />
    </div>
  );
}

async function saved(sent: Promise<unknown>): Promise<void> {
  await sent;
  await reread('status-pages');
  pageSaved();
}

/** Logo: sent as soon as a file is chosen. */
function LogoCard({ page }: { page: StatusPage }) {
  const w = words.statusPages;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const path = { id: page.id };
  const upload = useAct((content: string) =>
    saved(call('setStatusPageLogo', { path, body: { content } })),
  );
  const remove = useAct(() => saved(call('deleteStatusPageLogo', { path })));
  return (
    <Card title={w.logo}>
      <div className="sp-body">
        {page.logo_url !== null && (
          <div className="sp-logo">
            <img src={logoPath(page.logo_url, page.updated_at)} alt={w.logoOf(page.name)} />
          </div>
        )}
        <p className="xs dim" id={id}>
          {w.logoHint}
        </p>
        <input
          ref={input}
          className="vh"
          type="file"
          tabIndex={-1}
          aria-label={w.chooseLogo}
          accept="image/png,image/jpeg,image/svg+xml"
          onChange={async ({ target }) => {
            const [file] = target.files ?? [];
            target.value = '';
            if (file === undefined) return;
            if (file.size > 512 * 1_024) showToast(w.logoTooLarge);
            else void upload.run(await base64(file));
          }}
        />
        <div className="row">
          <Button
            aria-describedby={id}
            isDisabled={upload.isBusy}
            onClick={() => input.current?.click()}
          >
            {page.logo_url === null ? w.chooseLogo : words.labels.replace}
          </Button>
          {page.logo_url !== null && (
            <Button
              look="ghost"
              icon="trash"
              isDisabled={remove.isBusy}
              onClick={() => void remove.run()}
            >
              {words.labels.remove}
            </Button>
          )}
        </div>
      </div>
    </Card>
  );
}

/** Path on the dashboard's own origin; the time keeps a former logo out. */
function logoPath(url: string, changedAt: string): string {
  return `${new URL(url).pathname}?${Date.parse(changedAt)}`;
}

async function base64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
