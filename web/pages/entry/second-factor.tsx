import { useState, type ReactNode } from 'react';
import { ApiError } from '../../app/ask.ts';
import { askInWords } from '../../app/sign-in-calls.ts';
import { Form, Input } from '../../parts/form.tsx';
import { digitsOf, OneTimeCode } from '../../parts/one-time-code.tsx';
import { words } from '../../words/index.ts';
import { EntryPage, ViewLink } from './frame.tsx';

interface StepProps {
  onDone: () => void;
  /** The password was typed too long ago. */
  onExpired: () => void;
}

/** The code of the authenticator, after the password. */
export function SecondFactor(props: StepProps): ReactNode {
  const { factor } = words.entry;
  const [code, setCode] = useState('');
  const links = (
    <>
      <ViewLink to="recovery">{factor.byRecoveryCode}</ViewLink>
      <ViewLink to="">{factor.startAgain}</ViewLink>
    </>
  );
  return (
    <EntryPage title={factor.title} view="second-factor" links={links}>
      <p>{factor.intro}</p>
      <Form
        submit={factor.submit}
        onSubmit={() => verify('/two-factor/verify-totp', digitsOf(code), props)}
      >
        <OneTimeCode label={factor.code} value={code} onChange={setCode} />
      </Form>
    </EntryPage>
  );
}

/** A recovery code in place of the authenticator. */
export function RecoveryCode(props: StepProps): ReactNode {
  const { factor } = words.entry;
  const [code, setCode] = useState('');
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
        submit={factor.submit}
        onSubmit={() => verify('/two-factor/verify-backup-code', code.trim(), props)}
      >
        <Input
          name="code"
          label={factor.recoveryCode}
          spellCheck={false}
          autoCapitalize="none"
          value={code}
          onChange={setCode}
        />
      </Form>
    </EntryPage>
  );
}

async function verify(path: string, code: string, { onDone, onExpired }: StepProps): Promise<void> {
  const fields = { INVALID_CODE: 'code', CODE_USED: 'code', INVALID_BACKUP_CODE: 'code' };
  try {
    await askInWords(path, { code }, fields);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'INVALID_TWO_FACTOR_COOKIE') throw error;
    onExpired();
    return;
  }
  onDone();
}
