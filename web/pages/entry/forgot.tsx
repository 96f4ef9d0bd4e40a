import { useState, type ReactNode } from 'react';
import { ApiError } from '../../app/ask.ts';
import { askInWords } from '../../app/sign-in-calls.ts';
import { Form } from '../../parts/form.tsx';
import { words } from '../../words/index.ts';
import { EntryPage, Notice, ViewLink } from './frame.tsx';
import { EmailField } from './person-fields.tsx';

interface AddressProps {
  email: string;
  onEmail: (email: string) => void;
}

/** How to choose a new password: by a link in a mail, or by one from an admin where the installation sends no mail. */
export function Forgot({ isByMail, ...address }: AddressProps & { isByMail: boolean }): ReactNode {
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

function ByMail({ email, onEmail }: AddressProps): ReactNode {
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
