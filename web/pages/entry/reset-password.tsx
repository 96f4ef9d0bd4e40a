import { useState } from 'react';
import { ApiError } from '../../app/client.ts';
import { linkQuery } from '../../app/link-query.ts';
import { askInWords } from '../../app/sign-in-calls.ts';
import { Form, useForm } from '../../parts/form.tsx';
import { NewPassword, NO_PASSWORD, passwordOf } from '../../parts/credentials.tsx';
import { words } from '../../words/index.ts';
import { EntryPage, Notice, PageLink } from './frame.tsx';

const token = linkQuery.get('token') ?? '';
const FIELDS = { PASSWORD_TOO_SHORT: 'newPassword', PASSWORD_TOO_LONG: 'newPassword' };

type Step = 'ready' | 'gone' | 'done';

/** Page `/reset-password?token=`: a new password, which ends all sessions. */
export default function ResetPassword() {
  const { reset, signIn } = words.entry;
  const [step, setStep] = useState<Step>(token === '' || linkQuery.has('error') ? 'gone' : 'ready');
  const { draft, form } = useForm(null, { newPassword: NO_PASSWORD });
  const send = async () => {
    const newPassword = passwordOf('newPassword', draft.newPassword);
    try {
      await askInWords('/reset-password', { newPassword, token }, FIELDS);
      setStep('done');
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'INVALID_TOKEN') throw error;
      setStep('gone');
    }
  };
  return (
    <EntryPage
      title={reset.title}
      view={step}
      links={
        <>
          <PageLink to="/sign-in">{signIn.title}</PageLink>
          {step === 'done' && <PageLink to="/account#tokens">{reset.review}</PageLink>}
        </>
      }
    >
      {step === 'gone' && <Notice tone="bad">{reset.gone}</Notice>}
      {step === 'done' && <Notice tone="good">{reset.done}</Notice>}
      {step === 'ready' && (
        <>
          <p>{reset.intro}</p>
          <Form {...form} submit={reset.submit} onSubmit={send}>
            <div className="gap">
              <NewPassword name="newPassword" label={words.labels.newPassword} />
            </div>
          </Form>
        </>
      )}
    </EntryPage>
  );
}
