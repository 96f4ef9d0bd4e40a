import { useState } from 'react';
import { ApiError, callAuth, type SignInOptions } from '../../app/client.ts';
import { linkQuery } from '../../app/link-query.ts';
import { nextPath } from '../../app/next-path.ts';
import { canUsePasskeys, signInByPasskey } from '../../app/passkeys.ts';
import { BASE } from '../../app/place.ts';
import { askInWords, inWords } from '../../app/sign-in-calls.ts';
import { Button } from '../../parts/button.tsx';
import { Form, Input, useForm } from '../../parts/form.tsx';
import { digitsOf, OneTimeCode } from '../../parts/credentials.tsx';
import { words } from '../../words/index.ts';
import { EmailField, EntryPage, Notice, ViewLink } from './frame.tsx';

/** Path that was wanted before. */
const next = nextPath(linkQuery.get('next'), `${BASE}/monitors`);

/** Leaves for what was wanted, once the person is signed in. */
export function goOn(): void {
  location.assign(next);
}

/** First view of the sign-in page. */
export function FirstFactor(props: {
  options: SignInOptions;
  /** Why the options could not be read. */
  unknown: string | null;
  onReadAgain: () => void;
  email: string;
  onEmail: (email: string) => void;
  /** Why the last attempt failed. */
  failure: string | null;
  onFailure: (text: string | null) => void;
  /** The password was right, and the second factor is next. */
  onHalfway: () => void;
}) {
  const { options, unknown, onReadAgain, email, onEmail, failure, onFailure, onHalfway } = props;
  const { signIn } = words.entry;
  const { draft, form } = useForm(null, { password: '' });
  const send = async () => {
    onFailure(null);
    const answer = await askInWords<{ twoFactorRedirect?: boolean }>('/sign-in/email', {
      email: email.trim(),
      ...draft,
    });
    if (answer.twoFactorRedirect === true) onHalfway();
    else goOn();
  };
  const links = (
    <>
      <ViewLink to="forgot">{words.entry.forgot.title}</ViewLink>
      {options.open_signup && <ViewLink to="register">{words.entry.register.title}</ViewLink>}
    </>
  );
  return (
    <EntryPage title={signIn.title} links={links}>
      {options.setup_pending && <Notice>{signIn.setupPending}</Notice>}
      {failure !== null && <Notice tone="bad">{failure}</Notice>}
      <Form {...form} submit={words.entry.signIn.title} onSubmit={send}>
        <div className="gap">
          <EmailField value={email} onChange={onEmail} />
          <Input
            name="password"
            label={words.labels.password}
            type="password"
            autoComplete="current-password"
          />
        </div>
      </Form>
      <OtherWays providers={options.providers} onFailure={onFailure} />
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
function OtherWays(props: {
  providers: SignInOptions['providers'];
  onFailure: (text: string | null) => void;
}) {
  const { providers, onFailure } = props;
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
  if (providers.length === 0 && !canUsePasskeys) return null;
  return (
    <div className="entry-others">
      <p className="line apart xs faint entry-or">{signIn.or}</p>
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          isDisabled={isBusy}
          onClick={() => void attempt(() => leaveForProvider(id))}
        >
          {signIn.continueWith(name)}
        </Button>
      ))}
      {canUsePasskeys && (
        <Button icon="lock" isDisabled={isBusy} onClick={() => void attempt(byPasskey)}>
          {signIn.passkey}
        </Button>
      )}
    </div>
  );
}

async function byPasskey(): Promise<void> {
  await signInByPasskey();
  goOn();
}

/** Opens the page of a provider, which leads back to `next`. Throws an ApiError. */
async function leaveForProvider(provider: string): Promise<void> {
  const { url } = await callAuth<{ url: string }>('POST', '/sign-in/social', {
    provider,
    callbackURL: next,
    errorCallbackURL: `${BASE}/sign-in`,
  });
  const target = URL.parse(url);
  if (target === null || !/^https?:$/.test(target.protocol))
    throw new ApiError(0, { message: words.entry.providerFailed });
  location.assign(target);
}

interface StepProps {
  /** The password was typed too long ago. */
  onExpired: () => void;
}

/** The code of the authenticator, after the password. */
export function SecondFactor(props: StepProps) {
  const { factor } = words.entry;
  const { draft, form } = useForm(null, { code: '' });
  const links = (
    <>
      <ViewLink to="recovery">{words.entry.factor.recoveryTitle}</ViewLink>
      <ViewLink to="">{factor.startAgain}</ViewLink>
    </>
  );
  return (
    <EntryPage title={factor.title} view="second-factor" links={links}>
      <p>{factor.intro}</p>
      <Form
        {...form}
        submit={factor.submit}
        onSubmit={() => verify('/two-factor/verify-totp', digitsOf(draft.code), props)}
      >
        <OneTimeCode label={factor.code} />
      </Form>
    </EntryPage>
  );
}

export function RecoveryCode(props: StepProps) {
  const { factor } = words.entry;
  const { draft, form } = useForm(null, { code: '' });
  const links = (
    <>
      <ViewLink to="second-factor">{factor.byAuthenticator}</ViewLink>
      <ViewLink to="">{factor.startAgain}</ViewLink>
    </>
  );
  return (
    <EntryPage title={factor.recoveryTitle} view="recovery" links={links}>
      <p>{factor.recoveryIntro}</p>
      <Form
        {...form}
        submit={factor.submit}
        onSubmit={() => verify('/two-factor/verify-backup-code', draft.code.trim(), props)}
      >
        <Input name="code" label={factor.recoveryCode} spellCheck={false} autoCapitalize="none" />
      </Form>
    </EntryPage>
  );
}

async function verify(path: string, code: string, { onExpired }: StepProps): Promise<void> {
  const fields = { INVALID_CODE: 'code', CODE_USED: 'code', INVALID_BACKUP_CODE: 'code' };
  try {
    await askInWords(path, { code }, fields);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'INVALID_TWO_FACTOR_COOKIE') throw error;
    onExpired();
    return;
  }
  goOn();
}
