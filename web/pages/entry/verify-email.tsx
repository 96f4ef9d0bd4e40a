import { useState } from 'react';
import { ApiError } from '../../app/client.ts';
import { linkQuery } from '../../app/link-query.ts';
import { askInWords } from '../../app/sign-in-calls.ts';
import { Form } from '../../parts/form.tsx';
import { words } from '../../words/index.ts';
import { confirmationOf } from './confirmation.ts';
import { EntryPage, Notice, PageLink } from './frame.tsx';

const token = linkQuery.get('token') ?? '';

/** How it ended. */
interface Outcome {
  tone: 'good' | 'bad';
  text: string;
}

/**
 * Page `/verify-email?token=`: confirms an address, and both steps of a change. Only the button confirms, not the link: mail
 * scanners open links and would confirm an account that somebody else created with the address.
 */
export default function VerifyEmail() {
  const { verify, signIn } = words.entry;
  const kind = confirmationOf(token);
  const [outcome, setOutcome] = useState<Outcome | null>(
    token === '' ? { tone: 'bad', text: verify.gone } : null,
  );
  const hasAccount = outcome?.tone === 'good' && kind !== 'address';
  const { what, warning, otherwise } = kind === 'address' ? verify.address : verify.change;
  return (
    <EntryPage
      title={verify.title}
      view={outcome === null ? 'ready' : 'done'}
      links={
        hasAccount ? (
          <PageLink to="/account">{words.labels.account}</PageLink>
        ) : (
          <PageLink to="/sign-in">{signIn.title}</PageLink>
        )
      }
    >
      {outcome !== null && <Notice tone={outcome.tone}>{outcome.text}</Notice>}
      {outcome === null && (
        <>
          <p>{what}</p>
          <p>
            <strong>{warning}</strong> {otherwise}
          </p>
          <Form submit={verify.submit} onSubmit={async () => setOutcome(await confirm())}>
            {null}
          </Form>
        </>
      )}
    </EntryPage>
  );
}

/** Confirms. Throws an ApiError where another attempt may succeed. */
async function confirm(): Promise<Outcome> {
  const { verify } = words.entry;
  try {
    await askInWords('/verify-email', { token });
    return { tone: 'good', text: verify.done[confirmationOf(token)] };
  } catch (error) {
    const text = error instanceof ApiError ? refusals()[error.code] : undefined;
    if (text === undefined) throw error;
    return { tone: 'bad', text };
  }
}

/** Refusals for good, by error code. */
function refusals(): Readonly<Record<string, string>> {
  const { gone, otherAccount, signInFirst } = words.entry.verify;
  return {
    INVALID_TOKEN: gone,
    TOKEN_EXPIRED: gone,
    USER_NOT_FOUND: gone,
    INVALID_USER: otherAccount,
    SIGN_IN_FIRST: signInFirst,
  };
}
