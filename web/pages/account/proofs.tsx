import { callAuth } from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import { atFields } from '../../app/sign-in-calls.ts';
import { Button } from '../../parts/button.tsx';
import { openDialog } from '../../parts/dialog.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Input, useForm } from '../../parts/form.tsx';
import { digitsOf, HiddenUsername, OneTimeCode } from '../../parts/credentials.tsx';
import { attempt } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';

const { proof } = words.account;

interface ProofProps {
  /** Why, in the words of the API. */
  text: string;
  onProven: () => void;
  onClose: () => void;
}

const DIALOGS = { identity: IdentityDialog, enrollment: EnrollmentDialog };

export type Proof = keyof typeof DIALOGS;

/** Asks for what the session alone does not prove; false when the person closes the dialog. */
export function askForProof(asked: Proof, text: string): Promise<boolean> {
  const ProofDialog = DIALOGS[asked];
  return new Promise((resolve) =>
    openDialog((close) => (
      <ProofDialog
        text={text}
        onProven={() => resolve(true)}
        onClose={() => {
          close();
          resolve(false);
        }}
      />
    )),
  );
}

/** Password or code of the authenticator, once more. */
function IdentityDialog({ text, onProven, onClose }: ProofProps) {
  const { draft, form } = useForm(null, { password: '', code: '' });
  const send = async () => {
    const { password, code } = draft;
    await atFields({ INVALID_PASSWORD: 'password', INVALID_CODE: 'code', CODE_USED: 'code' }, () =>
      code.trim() === ''
        ? callAuth('POST', '/confirm-password', { password })
        : callAuth('POST', '/two-factor/verify-totp', { code: digitsOf(code) }),
    );
    onProven();
  };
  return (
    <FormDialog
      title={proof.identity}
      {...{ text, ...form, onClose }}
      submit={words.account.factor.confirm}
      onSubmit={send}
    >
      <div className="gap dialog-fields">
        <CurrentPassword />
        <OneTimeCode label={proof.orCode} isOptional />
      </div>
    </FormDialog>
  );
}

/** Code that is mailed to the address of the account, for the first second factor in a team that requires one. */
function EnrollmentDialog({ text, onProven, onClose }: ProofProps) {
  const { draft, form } = useForm(null, { code: '' });
  const request = () =>
    attempt(async () => {
      await callAuth('POST', '/two-factor/send-enrollment-code', {});
      return proof.sent;
    });
  const send = async () => {
    await atFields({ INVALID_CODE: 'code' }, () =>
      callAuth('POST', '/two-factor/confirm-enrollment-code', draft),
    );
    onProven();
  };
  return (
    <FormDialog
      title={proof.enrollment}
      {...{ text, ...form, onClose }}
      submit={words.terms.goOn}
      onSubmit={send}
    >
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
    </FormDialog>
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
