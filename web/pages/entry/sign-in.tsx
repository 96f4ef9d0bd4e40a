import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { ApiError, call, type SignInOptions } from '../../app/client.ts';
import { linkQuery } from '../../app/link-query.ts';
import { askInWords } from '../../app/sign-in-calls.ts';
import { Form, useForm } from '../../parts/form.tsx';
import { NewPassword, NO_PASSWORD, passwordOf } from '../../parts/credentials.tsx';
import { words } from '../../words/index.ts';
import { FirstFactor, goOn, RecoveryCode, SecondFactor } from './first-factor.tsx';
import { EmailField, EntryPage, NameField, Notice, ViewLink } from './frame.tsx';

/** Offered until the server has said what else there is. */
const PASSWORD_ONLY: SignInOptions = {
  providers: [],
  open_signup: false,
  reset_by_mail: false,
  setup_pending: false,
};

/**
 * Page `/sign-in`: password and second factor, passkey, and the configured providers. The fragment of the address names the
 * view, so that the browser's way back works.
 */
export default function SignIn() {
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
    call('getSignInOptions').then(setOptions, (error: unknown) =>
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
  if (isHalfway && view === 'second-factor') return <SecondFactor onExpired={startAgain} />;
  if (isHalfway && view === 'recovery') return <RecoveryCode onExpired={startAgain} />;
  if (view === 'forgot' && options !== null)
    return <Forgot isByMail={known.reset_by_mail} email={email} onEmail={setEmail} />;
  if (view === 'register' && known.open_signup)
    return <Register email={email} onEmail={setEmail} />;
  return (
    <FirstFactor
      options={known}
      unknown={unknown}
      onReadAgain={() => {
        setUnknown(null);
        readOptions();
      }}
      email={email}
      onEmail={setEmail}
      failure={failure}
      onFailure={setFailure}
      onHalfway={() => {
        setHalfway(true);
        location.hash = 'second-factor';
      }}
    />
  );
}

/** Codes that say the same as another one. */
const SAME_FAILURE: Readonly<Partial<Record<string, string>>> = {
  email_not_found: 'email_is_missing',
  signup_disabled: 'not_invited',
  state_not_found: 'state_mismatch',
  unable_to_create_user: 'not_invited',
};

/** Message for a failed sign-in through a provider. The code in the address may be forged, so it is never shown. */
function failureOf(code: string | null): string | null {
  if (code === null) return null;
  const known: Readonly<Record<string, string>> = words.entry.providerFailures;
  const name = SAME_FAILURE[code.toLowerCase()] ?? code.toLowerCase();
  return Object.hasOwn(known, name) ? known[name]! : words.entry.providerFailed;
}

/** Fragment of the address, without its number sign; read again when it changes. */
function useHash(): string {
  return useSyncExternalStore(subscribe, () => location.hash.slice(1));
}

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}

interface AddressProps {
  email: string;
  onEmail: (email: string) => void;
}

/** How to choose a new password: by a link in a mail, or by one from an admin where the installation sends no mail. */
function Forgot({ isByMail, ...address }: AddressProps & { isByMail: boolean }) {
  const { forgot } = words.entry;
  return (
    <EntryPage title={forgot.title} view="forgot" links={<ViewLink to="">{forgot.back}</ViewLink>}>
      {isByMail ? (
        <ByMail {...address} />
      ) : (
        <>
          <p>{forgot.noMail}</p>
          <p>
            {forgot.operator} <code>npm run tocsin -- user reset-password you@example.com</code>
          </p>
        </>
      )}
    </EntryPage>
  );
}

function ByMail({ email, onEmail }: AddressProps) {
  const { forgot } = words.entry;
  const [isSent, setSent] = useState(false);
  const send = async () => {
    setSent(false);
    if (email.trim() === '') throw noAddress();
    await askInWords('/request-password-reset', { email: email.trim() });
    setSent(true);
  };
  return (
    <>
      <p>{forgot.intro}</p>
      {isSent && <Notice tone="good">{forgot.sent}</Notice>}
      <Form submit={forgot.submit} onSubmit={send}>
        <EmailField value={email} onChange={onEmail} />
      </Form>
    </>
  );
}

/** The server answers the same for every address, even for none. */
function noAddress(): ApiError {
  const message = words.entry.refusals.INVALID_EMAIL;
  return new ApiError(422, { message, errors: { email: [message] } });
}

const FIELDS = {
  PASSWORD_TOO_SHORT: 'password',
  PASSWORD_TOO_LONG: 'password',
  INVALID_EMAIL: 'email',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'email',
};

/** Creates an account, where the operator lets everybody have one. */
function Register({ email, onEmail }: AddressProps) {
  const { register } = words.entry;
  const { draft, form } = useForm(null, { name: '', password: NO_PASSWORD });
  const [isSent, setSent] = useState(false);
  const send = async () => {
    const body = {
      name: draft.name.trim(),
      email: email.trim(),
      password: passwordOf('password', draft.password),
    };
    const answer = await askInWords<{ message?: string }>('/sign-up/email', body, FIELDS);
    // With a message, the address has to be confirmed first.
    if (answer.message === undefined) goOn();
    else setSent(true);
  };
  return (
    <EntryPage
      title={register.title}
      view={isSent ? 'sent' : 'register'}
      links={<ViewLink to="">{register.back}</ViewLink>}
    >
      {isSent ? (
        <Notice tone="good">{register.sent(email.trim())}</Notice>
      ) : (
        <Form {...form} submit={register.submit} onSubmit={send}>
          <div className="gap">
            <NameField />
            <EmailField value={email} onChange={onEmail} />
            <NewPassword name="password" label={words.labels.password} />
          </div>
        </Form>
      )}
    </EntryPage>
  );
}
