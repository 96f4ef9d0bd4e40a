import { useEffect, useState, type ReactNode } from 'react';
import { ApiError, ask, askAuth } from '../../app/ask.ts';
import { BASE } from '../../app/place.ts';
import { whoAmI } from '../../client/sdk.gen.ts';
import { isOpenable } from '../../lib/applications.ts';
import { Button } from '../../parts/button.tsx';
import { words } from '../../words/index.ts';
import { ConsentForm, type Decision } from './consent-form.tsx';
import { refusalIn, type ConsentRequest } from './consent.ts';
import { EntryPage, Notice, PageLink } from './frame.tsx';

/** The signed request, which stays in the address bar so that the page can be loaded again. */
const query = location.search.slice(1);

type State =
  | { step: 'loading' }
  | { step: 'ready'; request: ConsentRequest; email: string }
  | { step: 'problem'; text: string; mayRetry: boolean; mustSignIn?: true }
  | { step: 'answered'; isConnected: boolean; url: string };

/**
 * Page `/connect`, to which the authorization endpoint leads: asks the person whether an application may act for them. Its query
 * is the signed request. Opening it has no effect; only its two buttons answer.
 */
export default function Connect(): ReactNode {
  const { connect } = words.entry;
  const [state, setState] = useState<State>({ step: 'loading' });
  useEffect(() => {
    void read().then(setState);
  }, []);
  const name = state.step === 'ready' ? nameOf(state.request) : '';
  return (
    <EntryPage
      title={
        state.step === 'ready' ? connect.question(<bdi key="name">{name}</bdi>) : titleOf(state)
      }
      tabTitle={state.step === 'ready' ? connect.tabTitle(name) : titleOf(state)}
      view={state.step}
      links={
        <>
          {state.step === 'ready' && <PageLink to={signInPath()}>{connect.otherAccount}</PageLink>}
          {state.step === 'problem' && state.mustSignIn && (
            <PageLink to={signInPath()}>{connect.signInAgain}</PageLink>
          )}
          <PageLink to="/account">{connect.account}</PageLink>
        </>
      }
    >
      {state.step === 'loading' && <Notice>{connect.loading}</Notice>}
      {state.step === 'problem' && (
        <>
          <Notice tone="bad">{state.text}</Notice>
          {state.mayRetry && (
            <Button onClick={() => void read().then(setState)}>{words.common.retry}</Button>
          )}
        </>
      )}
      {state.step === 'ready' && (
        <ConsentForm
          request={state.request}
          email={state.email}
          onAnswer={async (decision) => {
            const next = await answer(decision, setState);
            if (next !== null) setState(next);
          }}
        />
      )}
      {state.step === 'answered' && (
        <>
          <Notice tone={state.isConnected ? 'good' : 'plain'}>{connect.goBack}</Notice>
          <a className="link" href={state.url}>
            {connect.open}
          </a>
        </>
      )}
    </EntryPage>
  );
}

function titleOf(state: State): string {
  const { connect } = words.entry;
  if (state.step !== 'answered') return connect.title;
  return state.isConnected ? connect.connected : connect.notConnected;
}

function nameOf({ client }: ConsentRequest): string {
  return client.name ?? client.redirect_host;
}

/** Path of the sign-in page, which leads back to this request. */
function signInPath(): string {
  return `/sign-in?${new URLSearchParams({ next: location.pathname + location.search })}`;
}

const problem = (text: string) => ({ step: 'problem', text, mayRetry: false }) as const;

/** Reads the request and who is signed in. Never rejects. */
async function read(): Promise<State> {
  const { connect } = words.entry;
  // Requests that can't be sent back to the application come without a signature.
  const given = new URLSearchParams(query);
  if (given.get('error') === 'invalid_client') return problem(connect.unknownClient);
  const refusal = refusalIn(given);
  if (refusal !== null) return problem(connect.refused(refusal.host, refusal.code));
  if (!given.has('sig')) return problem(connect.invalid);
  try {
    const { user } = await ask(whoAmI());
    const request = await readRequest();
    if (request === null) return problem(connect.invalid);
    if (request.teams.length === 0) return problem(connect.noTeam);
    return { step: 'ready', request, email: user.email };
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      location.replace(BASE + signInPath());
      return { step: 'loading' };
    }
    if (error instanceof ApiError && error.code === 'PROOF_NEEDED')
      return { ...problem(connect.proofNeeded), mustSignIn: true };
    const text = error instanceof ApiError ? error.message : words.errors.broken;
    return { step: 'problem', text, mayRetry: true };
  }
}

/** The request; null when the server refuses it, which it will again. Throws an ApiError. */
async function readRequest(): Promise<ConsentRequest | null> {
  try {
    return await askAuth<ConsentRequest>('GET', `/oauth2/consent-request?${query}`);
  } catch (error) {
    if (isRefusal(error) && error.code !== 'PROOF_NEEDED') return null;
    throw error;
  }
}

function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status >= 400 && error.status < 429;
}

/**
 * Sends the person's answer, and opens the application with its result. Throws an ApiError.
 *
 * @param show shows what the page says instead, where the session or the request has ended meanwhile
 */
async function answer(decision: Decision, show: (state: State) => void): Promise<State | null> {
  let url: string;
  try {
    ({ url } = await askAuth<{ url: string }>('POST', '/oauth2/consent', {
      ...decision,
      oauth_query: query,
    }));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // Reading again says which of both has ended.
    const now = await read();
    if (now.step === 'ready') throw error;
    show(now);
    return null;
  }
  if (!isOpenable(url)) return problem(words.entry.connect.invalid);
  // An application on the device opens beside this page, which stays.
  location.assign(url);
  return { step: 'answered', isConnected: decision.accept, url };
}
