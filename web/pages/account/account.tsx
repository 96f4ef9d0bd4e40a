import { useEffect, useState } from 'react';
import { useSession } from '../../app/session.ts';
import { signOut } from '../../app/sign-out.ts';
import { Button } from '../../parts/button.tsx';
import { Card, PageHead } from '../../parts/page.tsx';
import { words } from '../../words/index.ts';
import { Applications, Sessions } from './access.tsx';
import { Factor } from './factor.tsx';
import { Passkeys, Password, Profile } from './sign-in.tsx';
import { Proofs } from './proofs.tsx';
import { Tokens } from './tokens.tsx';
import {
  rows,
  setLanguage,
  setRows,
  setTheme,
  theme,
  type Rows,
  type Theme,
} from '../../app/preferences.ts';
import { Segmented } from '../../parts/segmented.tsx';
import { LANGUAGE_NAMES, type Language } from '../../words/languages.ts';

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
  return (
    <>
      <PageHead
        title={words.nav.account}
        text={account.signedInAs(user.name, user.email)}
        actions={
          <Button icon="out" onClick={() => void signOut()}>
            {words.nav.signOut}
          </Button>
        }
      />
      <NoTeam />
      <div className="account">
        <nav className="account-index" aria-label={account.index}>
          {NAMES.map((name) => (
            <a key={name} href={`#${name}`}>
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
      <Proofs />
    </>
  );
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
    <div className="banner account-banner" role="status">
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

const LANGUAGES = Object.keys(LANGUAGE_NAMES) as Language[];

/** Language, theme and height of rows in this browser. */
function Appearance() {
  const { appearance } = words.account;
  const [shownTheme, setShownTheme] = useState(theme());
  const [shownRows, setShownRows] = useState(rows());
  const here = LANGUAGES.find((name) => name === document.documentElement.lang) ?? 'en';
  return (
    <Card title={appearance.title}>
      <p className="account-intro">{appearance.intro}</p>
      <dl className="account-settings">
        <div>
          <dt>{words.labels.language}</dt>
          <dd>
            <Segmented
              label={words.labels.language}
              choices={LANGUAGES.map((value) => ({ value, text: LANGUAGE_NAMES[value] }))}
              value={here}
              onChange={setLanguage}
            />
          </dd>
        </div>
        <div>
          <dt>{appearance.theme}</dt>
          <dd>
            <Segmented<Theme>
              label={appearance.theme}
              choices={(['system', 'light', 'dark'] as const).map((value) => ({
                value,
                text: appearance.themes[value],
              }))}
              value={shownTheme}
              onChange={(next) => {
                setTheme(next);
                setShownTheme(next);
              }}
            />
          </dd>
        </div>
        <div>
          <dt>{appearance.rows}</dt>
          <dd>
            <Segmented<Rows>
              label={appearance.rows}
              choices={(['comfortable', 'dense'] as const).map((value) => ({
                value,
                text: appearance.heights[value],
              }))}
              value={shownRows}
              onChange={(next) => {
                setRows(next);
                setShownRows(next);
              }}
            />
          </dd>
        </div>
      </dl>
    </Card>
  );
}
