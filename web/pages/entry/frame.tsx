import { useEffect, useId, useRef, type ReactNode } from 'react';
import { BASE } from '../../app/place.ts';
import { setLanguage } from '../../app/preferences.ts';
import { Input } from '../../parts/form.tsx';
import { words } from '../../words/index.ts';
import { isLanguage, LANGUAGE_NAMES } from '../../words/languages.ts';

/**
 * Page for visitors: the name of the product, one card, links below it, and the language. When a view of it is opened, its
 * first field has the focus, or its heading where there is none, so that a key press by accident sends nothing.
 */
export function EntryPage(props: {
  title: ReactNode;
  /** Title of the tab; needed where `title` is not a text. */
  tabTitle?: string;
  /** Names what the card shows now. */
  view?: string;
  /** Line above the heading. */
  aside?: ReactNode;
  children: ReactNode;
  links?: ReactNode;
}) {
  const { title, tabTitle, view = '', aside, children, links } = props;
  const name = tabTitle ?? String(title);
  useEffect(() => {
    document.title = `${name} · Tocsin`;
  }, [name]);
  return (
    <div className="entry">
      <header className="entry-brand">
        <span className="brand">
          <svg width="15" height="15" viewBox="0 0 16 16" aria-hidden="true">
            <use href="#bell" />
          </svg>
        </span>
        Tocsin
      </header>
      <View key={view}>
        {aside !== undefined && <p className="sm">{aside}</p>}
        <h1 tabIndex={-1}>{title}</h1>
        {children}
      </View>
      <footer className="row between sm dim entry-foot">
        <nav className="row" aria-label={words.entry.links}>
          {links}
        </nav>
        <Language />
      </footer>
    </div>
  );
}

function View({ children }: { children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    const field = main.current?.querySelector<HTMLElement>(
      'input:not([aria-hidden], [type=checkbox])',
    );
    (field ?? main.current?.querySelector('h1'))?.focus();
  }, []);
  return (
    <main className="card entry-card" ref={main}>
      {children}
    </main>
  );
}

function Language() {
  const id = useId();
  return (
    <div className="row">
      <label className="vh" htmlFor={id}>
        {words.labels.language}
      </label>
      <select
        id={id}
        className="control"
        value={document.documentElement.lang}
        onChange={({ target }) => {
          if (isLanguage(target.value)) setLanguage(target.value);
        }}
      >
        {Object.entries(LANGUAGE_NAMES).map(([code, text]) => (
          <option key={code} value={code} lang={code}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Link to a page of this service, which is loaded as a whole. */
export function PageLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a className="link" href={`${BASE}${to}`}>
      {children}
    </a>
  );
}

export function ViewLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a className="link" href={`#${to}`}>
      {children}
    </a>
  );
}

/** What happened, or what the person should know. */
export function Notice(props: { tone?: 'plain' | 'good' | 'bad'; children: ReactNode }) {
  const { tone = 'plain', children } = props;
  return (
    <p className={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      {children}
    </p>
  );
}

/** Address by which a person signs in. Password managers keep it with the password. */
export function EmailField(control: { value?: string; onChange?: (value: string) => void }) {
  const label = words.labels.email;
  return <Input name="email" label={label} type="email" autoComplete="username" {...control} />;
}

export function NameField({ isOptional }: { isOptional?: boolean }) {
  const label = words.entry.personName;
  return (
    <Input name="name" label={label} isOptional={isOptional} autoComplete="name" maxLength={100} />
  );
}
