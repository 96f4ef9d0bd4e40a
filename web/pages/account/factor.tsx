import { useEffect, useRef, useState } from 'react';
import { reread, useReadBy } from '../../app/api.ts';
import { call, callAuth } from '../../app/client.ts';
import { useSession, type Session } from '../../app/session.ts';
import { atFields } from '../../app/sign-in-calls.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Form, useForm } from '../../parts/form.tsx';
import { Icon } from '../../parts/icon.tsx';
import { digitsOf, OneTimeCode } from '../../parts/credentials.tsx';
import { Card, Loading } from '../../parts/page.tsx';
import { showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { withProof } from './proof.ts';
import { CurrentPassword } from './proofs.tsx';
import { grouped, QR_SIZE, secretOf } from './secret.ts';

const { factor } = words.account;

const changed = () => reread('account', 'members');

/** Two-factor authentication: turning it on takes a code, turning it off the password. */
export function Factor() {
  const session = useSession();
  const [secret, setSecret] = useState<FactorSecret | null>(null);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const state = useReadBy(['account', 'factor'], () => isFactorOn(session));
  const shownState = useRef<HTMLParagraphElement>(null);
  const closeCodes = () => {
    setCodes([]);
    shownState.current?.focus();
  };
  const confirmed = async () => {
    setCodes(secret?.codes ?? []);
    setSecret(null);
    await changed();
  };
  const turnOn = async (body: object) => {
    const enabled = await withProof(() => callAuth<Enabled>('POST', '/two-factor/enable', body));
    setSecret({ uri: enabled.totpURI, codes: enabled.backupCodes });
  };
  const makeCodes = async (body: object) => {
    const made = await withProof(() =>
      callAuth<Pick<Enabled, 'backupCodes'>>('POST', '/two-factor/generate-backup-codes', body),
    );
    setCodes(made.backupCodes);
  };
  const turnOff = async (body: object) => {
    await withProof(() => callAuth('POST', '/two-factor/disable', body));
    setCodes([]);
    await changed();
    showToast(factor.turnedOff);
  };
  return (
    <Card title={factor.title}>
      <Loading reads={[state]} lines={1} />
      {state.data !== undefined && (
        <>
          <p className="inset sm dim beside" role="status" tabIndex={-1} ref={shownState}>
            <Icon name={state.data ? 'lock' : 'minus'} />
            <span>{state.data ? factor.on : factor.off}</span>
          </p>
          {codes.length > 0 && <RecoveryCodes codes={codes} onClose={closeCodes} />}
          {secret !== null && <FactorSetup secret={secret} onConfirmed={confirmed} />}
          {secret === null && !state.data && <More title={factor.turnOn} onSubmit={turnOn} />}
          {state.data && codes.length === 0 && (
            <>
              <More title={factor.newCodes} text={factor.newCodesHint} onSubmit={makeCodes} />
              <More title={factor.turnOff} text={factor.turnOffHint} onSubmit={turnOff} />
            </>
          )}
        </>
      )}
    </Card>
  );
}

/** Reads the state from the list of members; without a team, from the sign-in routes, whose rate limit is low. */
async function isFactorOn({ user, team }: Session): Promise<boolean> {
  if (team !== null) {
    const { data } = await call('listUsers');
    return data.some(({ id, mfa_enabled }) => id === user.id && mfa_enabled);
  }
  const answer = await callAuth<{ user?: { twoFactorEnabled?: boolean } } | null>(
    'GET',
    '/get-session',
  );
  return answer?.user?.twoFactorEnabled === true;
}

interface Enabled {
  totpURI: string;
  backupCodes: string[];
}

/** What is rarely done, with its form when it is opened. */
function More(props: { title: string; text?: string; onSubmit: (body: object) => Promise<void> }) {
  const { title, text, onSubmit } = props;
  return (
    <details className="folded wrap">
      <summary>
        <span className="link">{title}</span>
      </summary>
      {text !== undefined && <p className="inset sm dim">{text}</p>}
      <WithPassword submit={title} onSubmit={onSubmit} />
    </details>
  );
}

/** Form with the password alone, which people have not who sign in another way. */
function WithPassword(props: { submit: string; onSubmit: (body: object) => Promise<void> }) {
  const { submit, onSubmit } = props;
  const { draft, form } = useForm(null, { password: '' });
  const send = () =>
    atFields({ INVALID_PASSWORD: 'password' }, () => onSubmit(draft.password === '' ? {} : draft));
  return (
    <Form {...form} submit={submit} isPrimary={false} onSubmit={send}>
      <div className="gap inset">
        <CurrentPassword />
      </div>
    </Form>
  );
}

/** Secret of a second factor that is not confirmed yet. */
interface FactorSecret {
  /** Address for authenticators, `otpauth://totp/…`. */
  uri: string;
  /** Recovery codes, which work from the confirmation on. */
  codes: readonly string[];
}

/** Shows the secret as a QR code and as a text, and asks for the first code. */
function FactorSetup(props: { secret: FactorSecret; onConfirmed: () => Promise<void> }) {
  const {
    secret: { uri },
    onConfirmed,
  } = props;
  const { draft, form } = useForm(null, { code: '' });
  const secret = secretOf(uri);
  const send = async () => {
    await atFields({ INVALID_CODE: 'code', CODE_USED: 'code' }, () =>
      withProof(() => callAuth('POST', '/two-factor/verify-totp', { code: digitsOf(draft.code) })),
    );
    await onConfirmed();
  };
  return (
    <>
      <div className="row inset sm account-scan">
        <QrCode text={uri} />
        <div className="gap">
          <p>
            {factor.scan}{' '}
            <a className="link" href={uri}>
              {factor.openApp}
            </a>
          </p>
          <p>{factor.orSecret}</p>
          <p className="line copied">
            <code>{grouped(secret)}</code>
            <CopyButton text={secret} />
          </p>
        </div>
      </div>
      <Form {...form} submit={factor.confirm} onSubmit={send}>
        <div className="gap inset">
          <OneTimeCode label={factor.code} hint={factor.codeHint} autoFocus />
        </div>
      </Form>
    </>
  );
}

/** Draws a text in the browser, so that it is sent nowhere. The encoder is loaded for it. */
function QrCode({ text }: { text: string }) {
  const [source, setSource] = useState('');
  useEffect(() => {
    let isWanted = true;
    const draw = async () => {
      const { encodeQR } = await import('qr');
      if (isWanted) setSource(encodeQR(text, 'data-url', QR_SIZE));
    };
    void draw();
    return () => {
      isWanted = false;
    };
  }, [text]);
  if (source === '') return <div className="account-qr waiting" />;
  return <img className="account-qr" src={source} alt={words.account.factor.qr} />;
}

/** Codes that replace the authenticator once each, shown until the person closes them. */
function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const heading = useRef<HTMLParagraphElement>(null);
  // The form that made them is gone, and the focus with it.
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="stack sm account-once" role="status">
      <p className="b" tabIndex={-1} ref={heading}>
        {factor.saveCodes}
      </p>
      <p className="dim">{factor.codesHint}</p>
      <pre className="wrap">{codes.join('\n')}</pre>
      <div className="row">
        <CopyButton text={codes.join('\n')} label={factor.copyCodes} />
        <Button onClick={onClose}>{factor.codesSaved}</Button>
      </div>
    </div>
  );
}
