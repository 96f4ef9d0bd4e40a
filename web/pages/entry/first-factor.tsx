import { useState, type ReactNode } from 'react';
import { askAuth, ApiError } from '../../app/ask.ts';
import { canUsePasskeys, signInByPasskey } from '../../app/passkeys.ts';
import { BASE } from '../../app/place.ts';
import { askInWords, inWords } from '../../app/sign-in-calls.ts';
import type { SignInOptions } from '../../client/types.gen.ts';
import { Button } from '../../parts/button.tsx';
import { Form, Input } from '../../parts/form.tsx';
import { words } from '../../words/index.ts';
import { EntryPage, Notice, ViewLink } from './frame.tsx';
import { EmailField } from './person-fields.tsx';

/** First view of the sign-in page. */
export function FirstFactor({
  options,
  unknown,
  onReadAgain,
  next,
  email,
  onEmail,
  failure,
  onFailure,
  onDone,
  onHalfway,
}: {
  options: SignInOptions;
  /** Why the options could not be read. */
  unknown: string | null;
  onReadAgain: () => void;
  /** Path that a provider leads back to. */
  next: string;
  email: string;
  onEmail: (email: string) => void;
  /** Why the last attempt failed. */
  failure: string | null;
  onFailure: (text: string | null) => void;
  onDone: () => void;
  /** The password was right, and the second factor is next. */
  onHalfway: () => void;
}): ReactNode {
  const { signIn } = words.entry;
  const [password, setPassword] = useState('');
  const send = async () => {
    onFailure(null);
    const answer = await askInWords<{ twoFactorRedirect?: boolean }>('/sign-in/email', {
      email: email.trim(),
      password,
    });
    if (answer.twoFactorRedirect === true) onHalfway();
    else onDone();
  };
  const links = (
    <>
      <ViewLink to="forgot">{signIn.forgot}</ViewLink>
      {options.open_signup && <ViewLink to="register">{signIn.register}</ViewLink>}
    </>
  );
  return (
    <EntryPage title={signIn.title} links={links}>
      {options.setup_pending && <Notice>{signIn.setupPending}</Notice>}
      {failure !== null && <Notice tone="bad">{failure}</Notice>}
      <Form submit={signIn.submit} onSubmit={send}>
        <div className="gap">
          <EmailField value={email} onChange={onEmail} />
          <Input
            name="password"
            label={signIn.password}
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
          />
        </div>
      </Form>
      <OtherWays providers={options.providers} {...{ next, onFailure, onDone }} />
      {unknown !== null && (
        <>
          <Notice>{signIn.unknown(unknown)}</Notice>
          <Button onClick={onReadAgain}>{words.common.retry}</Button>
        </>
      )}
    </EntryPage>
  );
}

/** Providers and passkeys, where there are any. */
function OtherWays({
  providers,
  next,
  onFailure,
  onDone,
}: {
  providers: SignInOptions['providers'];
  next: string;
  onFailure: (text: string | null) => void;
  onDone: () => void;
}): ReactNode {
  const { signIn } = words.entry;
  const [isBusy, setBusy] = useState(false);
  const attempt = async (way: () => Promise<void>) => {
    setBusy(true);
    onFailure(null);
    try {
      await way();
    } catch (error) {
      onFailure(error instanceof ApiError ? inWords(error).message : words.entry.providerFailed);
    } finally {
      setBusy(false);
    }
  };
  const byPasskey = async () => {
    await signInByPasskey();
    onDone();
  };
  if (providers.length === 0 && !canUsePasskeys) return null;
  return (
    <div className="entry-others">
      <p className="entry-or">{signIn.or}</p>
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          isBusy={isBusy}
          onClick={() => void attempt(() => leaveForProvider(id, next))}
        >
          {signIn.continueWith(name)}
        </Button>
      ))}
      {canUsePasskeys && (
        <Button icon="lock" isBusy={isBusy} onClick={() => void attempt(byPasskey)}>
          {signIn.passkey}
        </Button>
      )}
    </div>
  );
}

/** Opens the page of a provider, which leads back to `next`. Throws an ApiError. */
async function leaveForProvider(provider: string, next: string): Promise<void> {
  const { url } = await askAuth<{ url: string }>('POST', '/sign-in/social', {
    provider,
    callbackURL: next,
    errorCallbackURL: `${BASE}/sign-in`,
  });
  const target = URL.parse(url);
  if (target === null || !/^https?:$/.test(target.protocol))
    throw new ApiError(0, { message: words.entry.providerFailed });
  location.assign(target);
}
