import { useState, useSyncExternalStore, type ReactNode } from 'react';
import { askAuth } from '../../app/api.ts';
import { atFields } from '../../app/at-fields.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Form, Input } from '../../parts/form.tsx';
import { say, sayError } from '../../parts/toast.tsx';
import { digitsOf, OneTimeCode } from '../../parts/one-time-code.tsx';
import { words } from '../../words/index.ts';
import { CurrentPassword } from './credential-fields.tsx';
import { askedProof, settleProof, subscribeProof } from './proof.ts';

const cancel = () => settleProof(false);

/** The question that is open for what the session alone does not prove, if any. Once on the page. */
export function Proofs(): ReactNode {
  const asked = useSyncExternalStore(subscribeProof, askedProof);
  if (asked === null) return null;
  const { identity, enrollment } = words.account.proof;
  return (
    <Dialog title={asked.kind === 'identity' ? identity : enrollment} onClose={cancel}>
      <p className="dim">{asked.message}</p>
      {asked.kind === 'identity' ? <IdentityForm /> : <EnrollmentForm />}
    </Dialog>
  );
}

/** Password or code of the authenticator, once more. */
function IdentityForm(): ReactNode {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { proof } = words.account;
  const send = async () => {
    await atFields({ INVALID_PASSWORD: 'password', INVALID_CODE: 'code', CODE_USED: 'code' }, () =>
      code.trim() === ''
        ? askAuth('POST', '/confirm-password', { password })
        : askAuth('POST', '/two-factor/verify-totp', { code: digitsOf(code) }),
    );
    settleProof(true);
  };
  return (
    <Form submit={proof.confirm} onSubmit={send} onCancel={cancel}>
      <div className="gap dialog-fields">
        <CurrentPassword value={password} onChange={setPassword} />
        <OneTimeCode label={proof.orCode} isOptional value={code} onChange={setCode} />
      </div>
    </Form>
  );
}

/** Code that is mailed to the address of the account, for the first second factor in a team that requires one. */
function EnrollmentForm(): ReactNode {
  const [code, setCode] = useState('');
  const { proof } = words.account;
  const request = async () => {
    try {
      await askAuth('POST', '/two-factor/send-enrollment-code', {});
      say(proof.sent);
    } catch (error) {
      sayError(error);
    }
  };
  const send = async () => {
    await atFields({ INVALID_CODE: 'code' }, () =>
      askAuth('POST', '/two-factor/confirm-enrollment-code', { code }),
    );
    settleProof(true);
  };
  return (
    <Form submit={proof.continue} onSubmit={send} onCancel={cancel}>
      <div className="gap dialog-fields">
        <div>
          <Button onClick={() => void request()}>{proof.send}</Button>
        </div>
        <Input
          name="code"
          label={proof.mailedCode}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={20}
          value={code}
          onChange={setCode}
        />
      </div>
    </Form>
  );
}
