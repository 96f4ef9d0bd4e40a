import { useState, type ReactNode } from 'react';
import { askInWords } from '../../app/sign-in-calls.ts';
import { Form, Input } from '../../parts/form.tsx';
import { words } from '../../words/index.ts';
import { EntryPage, Notice, ViewLink } from './frame.tsx';

/** How to choose a new password: by a link in a mail, or by one from an admin where the installation sends no mail. */
export function Forgot({ isByMail }: { isByMail: boolean }): ReactNode {
  const { forgot } = words.entry;
  return (
    <EntryPage title={forgot.title} view="forgot" links={<ViewLink to="">{forgot.back}</ViewLink>}>
      {isByMail ? (
        <ByMail />
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

function ByMail(): ReactNode {
  const { forgot, signIn } = words.entry;
  const [email, setEmail] = useState('');
  const [isSent, setSent] = useState(false);
  const send = async () => {
    setSent(false);
    await askInWords('/request-password-reset', { email: email.trim() });
    setSent(true);
  };
  return (
    <>
      <p>{forgot.intro}</p>
      {isSent && <Notice tone="good">{forgot.sent}</Notice>}
      <Form submit={forgot.submit} onSubmit={send}>
        <Input
          name="email"
          label={signIn.email}
          type="email"
          autoComplete="username"
          value={email}
          onChange={setEmail}
        />
      </Form>
    </>
  );
}
