import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { ApiError, ask } from '../../app/ask.ts';
import { useHash } from '../../app/hash.ts';
import { linkQuery } from '../../app/link-query.ts';
import { nextPath } from '../../app/next-path.ts';
import { BASE } from '../../app/place.ts';
import { getSignInOptions } from '../../client/sdk.gen.ts';
import type { SignInOptions } from '../../client/types.gen.ts';
import { words } from '../../words/index.ts';
import { FirstFactor } from './first-factor.tsx';
import { Forgot } from './forgot.tsx';
import { Register } from './register.tsx';
import { RecoveryCode, SecondFactor } from './second-factor.tsx';

/** Offered until the server has said what else there is. */
const PASSWORD_ONLY: SignInOptions = {
  providers: [],
  open_signup: false,
  reset_by_mail: false,
  setup_pending: false,
};

const next = nextPath(linkQuery.get('next'), `${BASE}/monitors`);
const goOn = () => location.assign(next);

/**
 * Page `/sign-in`: password and second factor, passkey, and the configured providers. The fragment of the address names the
 * view, so that the browser's way back works.
 */
export default function SignIn(): ReactNode {
  const [options, setOptions] = useState<SignInOptions | null>(null);
  // Why it is not known what else is offered.
  const [unknown, setUnknown] = useState<string | null>(null);
  // One address, whatever the view.
  const [email, setEmail] = useState('');
  // After a correct password, while the second factor is missing.
  const [isHalfway, setHalfway] = useState(false);
  const [failure, setFailure] = useState(() => failureOf(linkQuery.get('error')));
  const view = useHash();
  const readOptions = useCallback(() => {
    ask(getSignInOptions()).then(setOptions, (error: unknown) =>
      setUnknown(error instanceof ApiError ? error.message : String(error)),
    );
  }, []);
  useEffect(readOptions, [readOptions]);
  const startAgain = () => {
    setHalfway(false);
    setFailure(words.entry.refusals.INVALID_TWO_FACTOR_COOKIE);
    location.hash = '';
  };
  const known = options ?? PASSWORD_ONLY;
  if (isHalfway && view === 'second-factor')
    return <SecondFactor onDone={goOn} onExpired={startAgain} />;
  if (isHalfway && view === 'recovery')
    return <RecoveryCode onDone={goOn} onExpired={startAgain} />;
  if (view === 'forgot' && options !== null)
    return <Forgot isByMail={known.reset_by_mail} email={email} onEmail={setEmail} />;
  if (view === 'register' && known.open_signup)
    return <Register email={email} onEmail={setEmail} onDone={goOn} />;
  return (
    <FirstFactor
      options={known}
      unknown={unknown}
      onReadAgain={() => {
        setUnknown(null);
        readOptions();
      }}
      next={next}
      email={email}
      onEmail={setEmail}
      failure={failure}
      onFailure={setFailure}
      onDone={goOn}
      onHalfway={() => {
        setHalfway(true);
        location.hash = 'second-factor';
      }}
    />
  );
}

/** Message for a failed sign-in through a provider. The code in the address may be forged, so it is never shown. */
function failureOf(code: string | null): string | null {
  if (code === null) return null;
  const known: Readonly<Record<string, string>> = words.entry.providerFailures;
  const name = code.toLowerCase();
  return Object.hasOwn(known, name) ? known[name]! : words.entry.providerFailed;
}
