import { useEffect, useState } from 'react';
import { useSession } from '../../app/session.ts';
import { signOut } from '../../app/sign-out.ts';
import { Button } from '../../parts/button.tsx';
import { Card, PageHead } from '../../parts/page.tsx';
import { words } from '../../words/index.ts';
import { Applications, Sessions } from './access.tsx';
import { Factor } from './factor.tsx';
import { Passkeys, Password, Profile } from './sign-in.tsx';
import { Tokens } from './tokens.tsx';
import { rows, setLanguage, setRows, setTheme, theme } from '../../app/preferences.ts';
import { Segmented } from '../../parts/segmented.tsx';
import { isLanguage, LANGUAGE_NAMES } from '../../words/languages.ts';

const SECTIONS = {
  profile: Profile,
  appearance: Appearance,
  password: Password,
  factor: Factor,
  passkeys: Passkeys,
  sessions: Sessions,
  tokens: Tokens,
  applications: Applications,
} as const;

type Name = keyof typeof SECTIONS;
const NAMES = Object.keys(SECTIONS) as Name[];

/** Account of the person: who they are here, how they sign in, and what acts on their behalf. */
export default function AccountPage() {
  const { user } = useSession();
  const { account } = words;
  useEffect(showSectionOfAddress, []);
  const here = useSectionInView();
  return (
    <>
      <PageHead
        title={words.nav.account}
        text={account.signedInAs(user.name, user.email)}
        actions={
          <Button icon="out" look="ghost" onClick={() => void signOut()}>
            {words.nav.signOut}
          </Button>
        }
      />
      <NoTeam />
      <div className="account">
        <nav className="account-index" aria-label={account.index}>
          {NAMES.map((name) => (
            <a key={name} href={`#${name}`} aria-current={name === here ? 'location' : undefined}>
              {account[name].title}
            </a>
          ))}
        </nav>
        <div className="stack">
          {NAMES.map((name) => {
            const Section = SECTIONS[name];
            return (
              <div key={name} id={name} className="account-section">
                <Section />
              </div>
            );
          })}
        </div>
      </div>
    </>
  );
}

const top = (name: Name) => document.getElementById(name)!.getBoundingClientRect().top;

/** The section that is at the top of the window, or that its address names among those that are near it. */
function useSectionInView(): Name {
  const [here, setHere] = useState<Name>('profile');
  useEffect(() => {
    const look = () => {
      const isAtEnd =
        scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
      const above = NAMES.filter((name) => isAtEnd || top(name) < innerHeight / 3);
      const named = above.find((name) => location.hash === `#${name}` && top(name) >= 0);
      setHere(named ?? above.at(-1) ?? 'profile');
    };
    const ended = new AbortController();
    for (const event of ['scroll', 'hashchange'])
      addEventListener(event, look, { passive: true, signal: ended.signal });
    return () => ended.abort();
  }, []);
  return here;
}

/** The page is shown after the browser looked for the section that the address names. */
function showSectionOfAddress(): void {
  const name = location.hash.slice(1);
  if (name !== '') document.getElementById(name)?.scrollIntoView();
}

/** Why a person sees nothing of a team, and what to do. */
function NoTeam() {
  const { team, teams, needsFactor } = useSession();
  if (team !== null) return null;
  const { noTeam, factorNeeded, switchTeam } = words.account;
  return (
    <div className="banner quiet" role="status">
      <div>
        {needsFactor ? (
          <>
            {factorNeeded}{' '}
            <a className="link" href="#factor">
              {words.account.factor.title}
            </a>
          </>
        ) : teams.length > 0 ? (
          switchTeam
        ) : (
          noTeam
        )}
      </div>
    </div>
  );
}

/** Language, theme and height of rows in this browser. */
function Appearance() {
  const { appearance } = words.account;
  const { lang } = document.documentElement;
  return (
    <Card title={appearance.title}>
      <p className="inset sm dim">{appearance.intro}</p>
      <dl className="under account-settings">
        <Setting
          label={words.labels.language}
          texts={LANGUAGE_NAMES}
          initial={isLanguage(lang) ? lang : 'en'}
          onChange={setLanguage}
        />
        <Setting
          label={appearance.theme}
          texts={appearance.themes}
          initial={theme()}
          onChange={setTheme}
        />
        <Setting
          label={appearance.rows}
          texts={appearance.heights}
          initial={rows()}
          onChange={setRows}
        />
      </dl>
    </Card>
  );
}

/** A choice that this browser keeps. */
function Setting<Value extends string>(props: {
  label: string;
  texts: Readonly<Record<Value, string>>;
  initial: Value;
  onChange: (value: Value) => void;
}) {
  const { label, texts, initial, onChange } = props;
  const [value, setValue] = useState(initial);
  return (
    <div className="row over sm">
      <dt>{label}</dt>
      <dd>
        <Segmented
          label={label}
          choices={(Object.keys(texts) as Value[]).map((one) => ({ value: one, text: texts[one] }))}
          value={value}
          onChange={(next) => {
            setValue(next);
            onChange(next);
          }}
        />
      </dd>
    </div>
  );
}
