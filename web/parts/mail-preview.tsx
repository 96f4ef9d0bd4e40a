import { useEffect, useRef, useState } from 'react';
import { call, type AnswerOf, type BodyOf } from '../app/client.ts';
import { parseAnswer } from '../lib/exact-json.ts';
import { words } from '../words/index.ts';
import { useAfterPause } from './after-pause.ts';
import { Choose, Tick } from './form.tsx';

type Mails = AnswerOf<'previewAnnouncement'>['data'];

/** What is about to be published: a new announcement, or an update of one or of an incident. */
export type Publication =
  | { name: 'previewAnnouncement'; body: BodyOf<'previewAnnouncement'> }
  | {
      name: 'previewAnnouncementUpdate' | 'previewIncidentUpdate';
      path: { id: number };
      body: BodyOf<'previewIncidentUpdate'>;
    };

/** A body whose empty texts are dots: its mail can be seen before they are written. */
export function withTexts<Body extends object>(body: Body, ...names: (keyof Body)[]): Body {
  const empty = names.filter((name) => String(body[name]).trim() === '');
  return { ...body, ...Object.fromEntries(empty.map((name) => [name, '…'])) };
}

/**
 * The tick that notifies subscribers: how many there are, and the mail that they get, while it is written.
 *
 * @param props.says what is said before their number, of a message that Tocsin writes itself: its mail is not shown
 * @param props.publication null while nobody would be notified
 */
export function NotifyTick(props: {
  publication: Publication | null;
  name?: string;
  label?: string;
  says?: string;
}) {
  const { nobodySubscribed, receivers, subscriberKinds, seeMail } = words.statusPages;
  const { publication, name = 'notify', label = words.statusPages.notify, says } = props;
  const mails = useMails(publication);
  const kinds = Object.keys(subscriberKinds) as (keyof typeof subscriberKinds)[];
  const counts = kinds.map((kind) => ({
    kind: subscriberKinds[kind],
    count: (mails ?? []).reduce((sum, { subscribers }) => sum + subscribers[kind], 0),
  }));
  const some = counts.filter(({ count }) => count > 0);
  const hint =
    some.length === 0
      ? nobodySubscribed
      : receivers(
          some.reduce((sum, { count }) => sum + count, 0),
          some.map(({ kind, count }) => `${kind} ${count}`),
        );
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="notify">
      <Tick
        name={name}
        label={label}
        hint={[says, publication && mails && hint].filter(Boolean).join(' ') || '\u00a0'}
      />
      {says === undefined && mails !== null && mails.length > 0 && (
        <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary className="xs dim">{seeMail}</summary>
          {isOpen && <Mail mails={mails} />}
        </details>
      )}
    </div>
  );
}

/** The mails of each page as the server renders them; null before the first answer. */
function useMails(publication: Publication | null): Mails | null {
  const [mails, setMails] = useState<Mails | null>(null);
  useAfterPause(publication && JSON.stringify(publication), async (wanted, signal) => {
    try {
      const { name, ...input } = parseAnswer(wanted) as Publication & { path: { id: number } };
      setMails((await call(name, { ...input, signal })).data);
    } catch {
      // What is not valid yet has no mail: the last one stays. Publishing names the errors.
    }
  });
  return mails;
}

function Mail({ mails }: { mails: Mails }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const mail = mails.find(({ status_page: id }) => String(id) === chosen) ?? mails[0]!;
  return (
    <div className="gap mail-preview">
      {mails.length > 1 && (
        <Choose
          name="mail_of"
          label={words.statusPages.mailOf}
          value={String(mail.status_page)}
          onChange={setChosen}
          options={mails.map(({ status_page: id, sender }) => ({
            value: String(id),
            text: sender,
          }))}
        />
      )}
      <p className="sm wrap">
        <b className="b">{mail.sender}</b> {mail.subject}
      </p>
      <MailFrame html={mail.html} title={mail.subject} />
    </div>
  );
}

function MailFrame({ html, title }: { html: string; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    if (isLoaded && frame.current !== null) show(frame.current, html);
  }, [isLoaded, html]);
  return (
    <iframe
      ref={frame}
      className="box mail-frame"
      title={title}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      srcDoc="<!doctype html>"
      onLoad={() => setLoaded(true)}
    />
  );
}

/**
 * Shows a mail in a frame. Mails have their styles in their elements, which the policy of this document, that the frame has too,
 * allows through the object model only.
 */
function show(frame: HTMLIFrameElement, html: string): void {
  const view = frame.contentWindow as (Window & typeof globalThis) | null;
  const root = frame.contentDocument?.documentElement;
  if (view === null || root === undefined) return;
  const [, css = ''] = /<style>([^]*)<\/style>\s*<\/head>/.exec(html) ?? [];
  const inert = html.replace(/<style>[^]*?<\/style>/g, '').replaceAll(' style="', ' data-style="');
  root.replaceWith(new DOMParser().parseFromString(inert, 'text/html').documentElement);
  const shown = view.document;
  for (const element of shown.querySelectorAll<HTMLElement>('[data-style]'))
    element.style.cssText = element.dataset['style']!;
  for (const link of shown.links) link.target = '_blank';
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync(css);
  shown.adoptedStyleSheets = [sheet];
  frame.style.height = `${shown.documentElement.scrollHeight}px`;
}
