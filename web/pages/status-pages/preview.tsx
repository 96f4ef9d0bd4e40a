import { useEffect, useRef, useState } from 'react';
import type { StatusPage } from '../../app/api.gen.ts';
import { BASE } from '../../app/place.ts';
import { createStore } from '../../app/store.ts';
import { IconButton } from '../../parts/button.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';

/** Times after a change when the page is loaded anew: the server renders it within one to three seconds. */
const RELOADS_MS = [1_200, 4_000];
const WIDTHS = { wide: 1_024, phone: 375 } as const;
const HEIGHT = 720;

/** Number of changes to what visitors see. */
const changes = createStore(0);

/** Loads the preview again, once the server has rendered what was changed. */
export function reloadPreview(): void {
  changes.set(changes.read() + 1);
}

/** Says that the page was saved, and shows it as it is now. */
export function pageSaved(): void {
  showToast(words.statusPages.saved);
  reloadPreview();
}

/** The page itself in a frame, at the width of a desk or a phone, whoever may see it. */
export function Preview({ page }: { page: StatusPage }) {
  const version = changes.useValue();
  const [loaded] = useState(version);
  const w = words.statusPages;
  const [size, setSize] = useState<keyof typeof WIDTHS>(() =>
    innerWidth > 640 ? 'wide' : 'phone',
  );
  const [room, box] = useRoom();
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    if (version === loaded) return undefined;
    const timers = RELOADS_MS.map((ms) => setTimeout(() => reload(frame.current, page.slug), ms));
    return () => timers.forEach(clearTimeout);
  }, [version, loaded, page.slug]);
  const scale = Math.min(1, (room ?? 0) / WIDTHS[size]);
  return (
    <section className="card sp-preview" aria-label={w.preview}>
      <header>
        <h2>{w.preview}</h2>
        <div className="right">
          <Segmented
            label={w.width}
            choices={[
              { value: 'wide', text: w.wide },
              { value: 'phone', text: w.phone },
            ]}
            value={size}
            onChange={setSize}
          />
          <IconButton
            look="ghost"
            icon="refresh"
            label={w.reload}
            onClick={() => reload(frame.current, page.slug)}
          />
        </div>
      </header>
      <div className="sp-frame" ref={box}>
        <div
          style={{ width: WIDTHS[size] * scale, height: HEIGHT }}
          className={room === null ? 'unmeasured' : ''}
        >
          <iframe
            key={page.slug}
            ref={frame}
            sandbox="allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox"
            title={w.previewOf(page.name)}
            src={`${BASE}/status/${page.slug}.preview?preview`}
            onLoad={({ currentTarget }) => leadOut(currentTarget.contentDocument)}
            style={{
              width: WIDTHS[size],
              height: HEIGHT / (scale || 1),
              transform: `scale(${scale})`,
            }}
          />
        </div>
      </div>
    </section>
  );
}

/** Loads the page anew. Caches may keep its address for some seconds: another one is always fresh, and no step of "back". */
function reload(frame: HTMLIFrameElement | null, slug: string): void {
  frame?.contentWindow?.location.replace(`${BASE}/status/${slug}.preview?preview=${Date.now()}`);
}

/** Opens what the page leads to in a tab of its own: only the page itself is there for its editor, and may be framed. */
function leadOut(page: Document | null): void {
  const ways = page?.querySelectorAll<HTMLAnchorElement | HTMLFormElement>(
    'a[href]:not([href^="#"]), form',
  );
  for (const way of ways ?? []) way.target = '_blank';
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
