import { useEffect } from 'react';
import { useSession } from '../../app/session.ts';
import { signOut } from '../../app/sign-out.ts';
import { Button } from '../../parts/button.tsx';
import { PageHead } from '../../parts/page.tsx';
import { words } from '../../words/index.ts';
import { Appearance } from './appearance.tsx';
import { Applications } from './applications.tsx';
import { Factor } from './factor.tsx';
import { Passkeys } from './passkeys.tsx';
import { Password } from './password.tsx';
import { Profile } from './profile.tsx';
import { Proofs } from './proofs.tsx';
import { Sessions } from './sessions.tsx';
import { Tokens } from './tokens.tsx';

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
        title={account.title}
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
