import { useEffect, useRef, useState } from 'react';
import { reread } from '../../app/api.ts';
import { ApiError, call, type AnswerOf, type BodyOf, type StatusPage } from '../../app/client.ts';
import { BASE } from '../../app/place.ts';
import { createStore } from '../../app/store.ts';
import { useAfterPause } from '../../parts/after-pause.ts';
import { Segmented } from '../../parts/segmented.tsx';
import { showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';

const WIDTHS = { wide: 1_024, phone: 375 } as const;
const HEIGHT = 720;

type Fields = BodyOf<'previewStatusPage'>;
type Rendered = AnswerOf<'previewStatusPage'>;

/** Fields of forms that are not saved, by form. */
const unsaved = createStore<Readonly<Record<string, Fields>>>({});
/** Number of changes to what visitors see, beside these fields. */
const changes = createStore(0);

/** Shows what a form holds in the preview, before it is saved. */
export function useUnsaved(form: string, fields: Fields): void {
  const text = JSON.stringify(fields);
  useEffect(() => {
    unsaved.set({ ...unsaved.read(), [form]: JSON.parse(text) as Fields });
    return () => {
      const { [form]: _former, ...others } = unsaved.read();
      unsaved.set(others);
    };
  }, [form, text]);
}

/** Renders the preview again, after a change that no form holds. */
export function reloadPreview(): void {
  changes.set(changes.read() + 1);
}

/** Waits for a change of what visitors see, says what was done, and shows the page as it is now. @param noun of what was changed */
export async function pageSaved(
  change: Promise<unknown>,
  text = words.terms.saved,
  noun = 'status-pages',
): Promise<void> {
  await change;
  await reread(noun);
  showToast(text);
  reloadPreview();
}

/** The same for announcements on it. */
export const announced = (change: Promise<unknown>, text?: string) =>
  pageSaved(change, text, 'announcements');

/** Saves fields of the page. Throws an ApiError. */
export function savePage({ id }: StatusPage, body: Fields): Promise<void> {
  return pageSaved(call('updateStatusPage', { path: { id }, body }));
}

/** Renders the page with what its forms hold. `isHeld` while some of that is not valid: the last valid page stays. */
function useRendered(id: number | null): { shown: Rendered | null; isHeld: boolean } {
  const parts = Object.values(unsaved.useValue());
  const version = changes.useValue();
  const [shown, setShown] = useState<Rendered | null>(null);
  const [isHeld, setHeld] = useState(false);
  const settings = Object.assign({}, ...parts.map((part) => part.settings)) as Fields['settings'];
  const asked = JSON.stringify([version, Object.assign({ id }, ...parts, { settings })]);
  useAfterPause(asked, async (text, signal) => {
    try {
      const [, body] = JSON.parse(text) as [number, Fields];
      setShown(await call('previewStatusPage', { body, signal }));
      setHeld(false);
    } catch (error) {
      if (!signal.aborted && error instanceof ApiError) setHeld(true);
    }
  });
  return { shown, isHeld };
}

/** The page as it would be with what the forms beside it hold, at the width of a desk or a phone. */
export function Preview(props: {
  /** Null for a page that does not exist yet. */
  id: number | null;
  name: string;
  /** Address of a logo that is not sent yet. */
  logo?: string | null;
}) {
  const { id, name, logo = null } = props;
  const w = words.statusPages;
  const { shown, isHeld } = useRendered(id);
  const [first, setFirst] = useState<Rendered | null>(null);
  if (first === null && shown !== null) setFirst(shown);
  const [size, setSize] = useState<keyof typeof WIDTHS>(() =>
    innerWidth > 640 ? 'wide' : 'phone',
  );
  const [room, box] = useRoom();
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    if (shown !== null) show(frame.current, shown, logo);
  }, [shown, logo]);
  const scale = Math.min(1, (room ?? 0) / WIDTHS[size]);
  return (
    <section className="card stays sp-preview" aria-label={w.preview}>
      <header>
        <h2>{w.preview}</h2>
        <div className="right">
          <Segmented
            label={w.width}
            choices={[
              { value: 'wide', text: words.statusPages.layouts.wide },
              { value: 'phone', text: w.phone },
            ]}
            value={size}
            onChange={setSize}
          />
        </div>
      </header>
      {isHeld && <p className="dim sp-held xs">{w.previewHeld}</p>}
      <div className="sp-frame" ref={box}>
        <div
          style={{
            width: WIDTHS[size] * scale,
            height: HEIGHT,
            // Its size is not known yet.
            visibility: room === null ? 'hidden' : undefined,
          }}
        >
          {first !== null && (
            <iframe
              ref={frame}
              sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
              title={w.previewOf(name)}
              srcDoc={`<!doctype html>${absolute(first.html).documentElement.outerHTML}`}
              onLoad={() => shown !== null && show(frame.current, shown, logo)}
              style={{
                width: WIDTHS[size],
                height: HEIGHT / (scale || 1),
                transform: `scale(${scale})`,
              }}
            />
          )}
        </div>
      </div>
    </section>
  );
}

/** A rendered page with absolute addresses, and without what it links besides the style sheet that all pages have. */
function absolute(html: string): Document {
  const page = new DOMParser().parseFromString(html, 'text/html');
  for (const link of page.querySelectorAll('link:not([href$="/style.css"])')) link.remove();
  for (const name of ['href', 'src', 'srcset'])
    for (const element of page.querySelectorAll(`[${name}]:not([${name}^="#"])`))
      element.setAttribute(
        name,
        new URL(element.getAttribute(name)!, `${location.origin}${BASE}/status/`).href,
      );
  return page;
}

/** Replaces what the frame shows, and keeps its place. Styles that are made in the frame need no address of their own. */
function show(frame: HTMLIFrameElement | null, { html, css }: Rendered, logo: string | null) {
  const shown = frame?.contentDocument;
  const view = frame?.contentWindow as (Window & typeof globalThis) | null | undefined;
  if (shown == null || view == null || shown.readyState !== 'complete') return;
  // The empty document before the first one.
  if (shown.body.childElementCount === 0) return;
  const page = absolute(html);
  for (const link of page.querySelectorAll<HTMLAnchorElement>('a[href]:not([href^="#"])'))
    link.target = '_blank';
  if (logo !== null) {
    const image = page.createElement('img');
    image.src = logo;
    image.alt = '';
    page.querySelector('.brand')?.prepend(image);
  }
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync(css);
  shown.adoptedStyleSheets = [sheet];
  shown.documentElement.lang = page.documentElement.lang;
  shown.body.replaceWith(shown.adoptNode(page.body));
}

/** Address of a page for its team: a draft has none but that of its preview. */
export function addressToOpen({ url, slug, draft }: Pick<StatusPage, 'url' | 'slug' | 'draft'>) {
  return draft ? `${BASE}/status/${slug}.preview?preview` : url;
}

/** Width that an element has, in pixels. */
function useRoom(): [number | null, (element: HTMLElement | null) => (() => void) | undefined] {
  // Nothing is drawn before the first measurement, which would move it.
  const [room, setRoom] = useState<number | null>(null);
  const [measure] = useState(() => (element: HTMLElement | null) => {
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setRoom(Math.max(200, element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  });
  return [room, measure];
}
