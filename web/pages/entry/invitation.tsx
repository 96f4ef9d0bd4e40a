import { useState } from 'react';
import { ApiError, call, callAuth, type AnswerOf } from '../../app/client.ts';
import { linkQuery } from '../../app/link-query.ts';
import { BASE } from '../../app/place.ts';
import { withTimeZone } from '../../app/sign-in-calls.ts';
import { Form, useForm } from '../../parts/form.tsx';
import { HiddenUsername, NewPassword, NO_PASSWORD, passwordOf } from '../../parts/credentials.tsx';
import { Facts } from '../../parts/sections.tsx';
import { DayTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { EntryPage, NameField, Notice, PageLink } from './frame.tsx';
import { filled, linkProblem, useLink } from './use-link.ts';

type Offer = AnswerOf<'previewInvitation'>;

const token = linkQuery.get('token') ?? '';
const readOffer = () => call('previewInvitation', { query: { token } });

/** Page `/invitation?token=`: what is offered, and an account for a person who has none. */
export default function Invitation() {
  const { invitation } = words.entry;
  const { data, problem } = useLink(readOffer);
  const [mustSignIn, setMustSignIn] = useState(false);
  const isGone = problem?.status === 422;
  const back = new URLSearchParams({ next: `${BASE}/invitation?token=${token}` });
  return (
    <EntryPage
      title={data === null ? invitation.title : invitation.to(data.team)}
      view={data === null ? '' : 'ready'}
      links={
        (mustSignIn || isGone) && (
          <PageLink to={`/sign-in?${back}`}>{invitation.signInFirst}</PageLink>
        )
      }
    >
      {problem !== null && <Notice tone="bad">{linkProblem(problem, invitation.refused)}</Notice>}
      {data === null && problem === null && <Notice>{words.entry.checking}</Notice>}
      {data !== null && <OfferCard offer={data} onSignIn={() => setMustSignIn(true)} />}
    </EntryPage>
  );
}

function OfferCard({ offer, onSignIn }: { offer: Offer; onSignIn: () => void }) {
  const { invitation } = words.entry;
  const { inviter, email, role, expires_at, has_account } = offer;
  const { draft, form } = useForm(null, { name: '', password: NO_PASSWORD });
  const send = async () => {
    if (has_account) await accept({ token }, onSignIn);
    else {
      const { name } = draft;
      const password = passwordOf('password', draft.password);
      await accept({ token, password, ...filled({ name }) }, onSignIn);
      await callAuth('POST', '/sign-in/email', { email, password }).catch(() => null);
    }
    location.assign(`${BASE}/monitors`);
  };
  return (
    <>
      <p>{inviter === null ? invitation.invited : invitation.invitedBy(inviter)}</p>
      <Facts
        rows={[
          [words.labels.role, words.roles[role]],
          [invitation.for, email],
          [words.entry.until, <DayTime key="until" time={expires_at} />],
        ]}
      />
      {has_account && <p>{invitation.hasAccount}</p>}
      <Form {...form} submit={invitation.submit} onSubmit={send}>
        {!has_account && (
          <div className="gap">
            <HiddenUsername email={email} />
            <NameField isOptional />
            <NewPassword name="password" label={words.labels.password} />
          </div>
        )}
      </Form>
    </>
  );
}

/** Accepts the invitation. Throws an ApiError; where the person has to sign in first, says so as well. */
async function accept(
  body: { token: string; password?: string; name?: string },
  onSignIn: () => void,
): Promise<void> {
  try {
    await withTimeZone((zone) => call('acceptInvitation', { body: { ...body, ...zone } }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) onSignIn();
    throw error;
  }
}
