import { callAuth } from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import { atFields } from '../../app/sign-in-calls.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Form, Input, useForm } from '../../parts/form.tsx';
import { digitsOf, HiddenUsername, OneTimeCode } from '../../parts/credentials.tsx';
import { attempt } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { askedProof, settleProof } from './proof.ts';

const cancel = () => settleProof(false);

/** The question that is open for what the session alone does not prove, if any. Once on the page. */
export function Proofs() {
  const asked = askedProof.useValue();
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
function IdentityForm() {
  const { draft, form } = useForm(null, { password: '', code: '' });
  const { proof } = words.account;
  const send = async () => {
    const { password, code } = draft;
    await atFields({ INVALID_PASSWORD: 'password', INVALID_CODE: 'code', CODE_USED: 'code' }, () =>
      code.trim() === ''
        ? callAuth('POST', '/confirm-password', { password })
        : callAuth('POST', '/two-factor/verify-totp', { code: digitsOf(code) }),
    );
    settleProof(true);
  };
  return (
    <Form {...form} submit={words.account.factor.confirm} onSubmit={send} onCancel={cancel}>
      <div className="gap dialog-fields">
        <CurrentPassword />
        <OneTimeCode label={proof.orCode} isOptional />
      </div>
    </Form>
  );
}

/** Code that is mailed to the address of the account, for the first second factor in a team that requires one. */
function EnrollmentForm() {
  const { draft, form } = useForm(null, { code: '' });
  const { proof } = words.account;
  const request = () =>
    attempt(async () => {
      await callAuth('POST', '/two-factor/send-enrollment-code', {});
      return proof.sent;
    });
  const send = async () => {
    await atFields({ INVALID_CODE: 'code' }, () =>
      callAuth('POST', '/two-factor/confirm-enrollment-code', draft),
    );
    settleProof(true);
  };
  return (
    <Form {...form} submit={words.terms.goOn} onSubmit={send} onCancel={cancel}>
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
        />
      </div>
    </Form>
  );
}

/** Password of the person, which people who sign in another way don't have. */
export function CurrentPassword() {
  const { user } = useSession();
  const { factor } = words.account;
  return (
    <>
      <HiddenUsername email={user.email} />
      <Input
        name="password"
        label={factor.password}
        hint={factor.passwordHint}
        type="password"
        autoComplete="current-password"
      />
    </>
  );
}
