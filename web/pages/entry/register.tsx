import { useState, type ReactNode } from 'react';
import { askInWords } from '../../app/sign-in-calls.ts';
import { Form } from '../../parts/form.tsx';
import { NewPassword, NO_PASSWORD, passwordOf } from '../../parts/new-password.tsx';
import { words } from '../../words/index.ts';
import { EntryPage, Notice, ViewLink } from './frame.tsx';
import { EmailField, NameField } from './person-fields.tsx';

const FIELDS = {
  PASSWORD_TOO_SHORT: 'password',
  PASSWORD_TOO_LONG: 'password',
  INVALID_EMAIL: 'email',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'email',
};

/** Creates an account, where the operator lets everybody have one. */
export function Register({
  email,
  onEmail,
  onDone,
}: {
  email: string;
  onEmail: (email: string) => void;
  onDone: () => void;
}): ReactNode {
  const { register, signIn } = words.entry;
  const [name, setName] = useState('');
  const [typed, setTyped] = useState(NO_PASSWORD);
  const [isSent, setSent] = useState(false);
  const send = async () => {
    const body = {
      name: name.trim(),
      email: email.trim(),
      password: passwordOf('password', typed),
    };
    const answer = await askInWords<{ message?: string }>('/sign-up/email', body, FIELDS);
    // With a message, the address has to be confirmed first.
    if (answer.message === undefined) onDone();
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
        <Form submit={register.submit} onSubmit={send}>
          <div className="gap">
            <NameField value={name} onChange={setName} />
            <EmailField value={email} onChange={onEmail} />
            <NewPassword
              name="password"
              label={signIn.password}
              value={typed}
              onChange={setTyped}
            />
          </div>
        </Form>
      )}
    </EntryPage>
  );
}
