import { useEffect, useRef, useState } from 'react';
import { useAnswer } from '../../app/answer.ts';
import { ApiError, call, callAuth, messageOf } from '../../app/client.ts';
import { BASE } from '../../app/place.ts';
import { destinationOf, isOpenable, type Permission } from '../../lib/applications.ts';
import { Button } from '../../parts/button.tsx';
import { Choose, Form, useFieldErrors, ChoiceInput } from '../../parts/form.tsx';
import { words } from '../../words/index.ts';
import {
  choicesOf,
  firstTeam,
  noteOf,
  refusalIn,
  type Choice,
  type ConsentRequest,
} from './consent.ts';
import { EntryPage, Notice, PageLink } from './frame.tsx';

const { connect } = words;

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
export default function Connect() {
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
          <PageLink to="/account">{words.labels.account}</PageLink>
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
  // Requests that can't be sent back to the application come without a signature.
  const given = new URLSearchParams(query);
  if (given.get('error') === 'invalid_client') return problem(connect.unknownClient);
  const refusal = refusalIn(given);
  if (refusal !== null) return problem(connect.refused(refusal.host, refusal.code));
  if (!given.has('sig')) return problem(connect.invalid);
  try {
    const { user } = await call('whoAmI');
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
    const text = messageOf(error);
    return { step: 'problem', text, mayRetry: true };
  }
}

/** The request; null when the server refuses it, which it will again. Throws an ApiError. */
async function readRequest(): Promise<ConsentRequest | null> {
  try {
    return await callAuth<ConsentRequest>('GET', `/oauth2/consent-request?${query}`);
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
    ({ url } = await callAuth<{ url: string }>('POST', '/oauth2/consent', {
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
  if (!isOpenable(url)) return problem(words.connect.invalid);
  // An application on the device opens beside this page, which stays.
  location.assign(url);
  return { step: 'answered', isConnected: decision.accept, url };
}

/** Answer of the person. */
interface Decision {
  accept: boolean;
  team_id?: number;
  permissions?: readonly Permission[];
}

/** Team and permissions of an application, and the two buttons that answer it. */
function ConsentForm(props: {
  request: ConsentRequest;
  /** Who is signed in. */
  email: string;
  /** Throws an ApiError. */
  onAnswer: (decision: Decision) => Promise<void>;
}) {
  const {
    request: { client, scopes, teams },
    email,
    onAnswer,
  } = props;
  const guard = useSubmitGuard();
  const [teamId, setTeamId] = useState(() => firstTeam(teams)?.id ?? 0);
  const [changes, setChanges] = useState<ReadonlyMap<Permission, boolean>>(new Map());
  const team = teams.find(({ id }) => id === teamId) ?? teams[0]!;
  const choices = choicesOf(scopes, team, changes);
  const note = noteOf(scopes, team);
  const send = async () => {
    if (guard.isHeldNow()) return;
    const chosen = choices.filter(({ isChosen }) => isChosen);
    const permissions = chosen.map(({ permission }) => permission);
    await onAnswer({ accept: true, team_id: team.id, permissions });
  };
  return (
    <>
      <p>
        {connect.asks(
          <strong key="email">{email}</strong>,
          <strong key="to">
            {destinationOf(client.redirect_host, words.account.applications)}
          </strong>,
        )}
      </p>
      <p className="notice">{connect.unverified}</p>
      <Form
        submit={connect.submit}
        onSubmit={send}
        isHeld={guard.isHeld || team.needs_mfa}
        actions={<Cancel onCancel={() => onAnswer({ accept: false })} />}
      >
        <div className="gap">
          {teams.length === 1 ? (
            <p>{connect.inTeam(<strong key="team">{team.name}</strong>)}</p>
          ) : (
            <Choose
              name="team_id"
              label={words.nav.team}
              value={String(team.id)}
              onChange={(value) => setTeamId(Number(value))}
              options={teams.map(({ id, name, role }) => ({
                value: String(id),
                text: `${name} (${words.roles[role as keyof typeof words.roles] ?? role})`,
              }))}
            />
          )}
          <Choices
            choices={choices}
            onChange={(permission, isChosen) =>
              setChanges(new Map(changes).set(permission, isChosen))
            }
          />
          {note !== null && <Notice>{connect.notes[note]}</Notice>}
          <p className="hint">{connect.never}</p>
        </div>
      </Form>
    </>
  );
}

function Choices(props: {
  choices: readonly Choice[];
  onChange: (permission: Permission, isChosen: boolean) => void;
}) {
  const { choices, onChange } = props;
  const [error] = useFieldErrors('permissions');
  return (
    <fieldset className="entry-choices">
      <legend>{connect.may}</legend>
      {choices.map(({ permission, isChosen, isFixed }) => (
        <ChoiceInput
          key={permission}
          name="permissions"
          value={permission}
          checked={isChosen}
          disabled={isFixed}
          text={connect.permissions[permission]}
          onChange={(isOn) => onChange(permission, isOn)}
        />
      ))}
      {error !== undefined && <p className="error">{error}</p>}
    </fieldset>
  );
}

function Cancel({ onCancel }: { onCancel: () => Promise<void> }) {
  const { isPending, error, send } = useAnswer(onCancel);
  return (
    <>
      <Button isDisabled={isPending} onClick={() => void send()}>
        {words.common.cancel}
      </Button>
      {error && <Notice tone="bad">{messageOf(error)}</Notice>}
    </>
  );
}

/**
 * Time in ms for which a press of the button is ignored once the page comes to the front: it may be the second half of a
 * double click that was meant for a window in front of it, which its site closed in between ("double clickjacking").
 */
const GUARD_MS = 500;

/** Whether a form may not be sent yet. */
interface SubmitGuard {
  /** For what is shown. */
  isHeld: boolean;
  /** For what is done: true at once when the page comes to the front. */
  isHeldNow: () => boolean;
}

/** Holds a form in the first moments after it is shown or its window gets the focus. */
function useSubmitGuard(): SubmitGuard {
  const [isHeld, setHeld] = useState(true);
  const held = useRef(true);
  useEffect(() => {
    let timer = 0;
    const set = (next: boolean) => {
      held.current = next;
      setHeld(next);
    };
    const guard = () => {
      set(true);
      clearTimeout(timer);
      timer = window.setTimeout(() => set(false), GUARD_MS);
    };
    guard();
    addEventListener('focus', guard);
    document.addEventListener('visibilitychange', guard);
    return () => {
      clearTimeout(timer);
      removeEventListener('focus', guard);
      document.removeEventListener('visibilitychange', guard);
    };
  }, []);
  return { isHeld, isHeldNow: () => held.current };
}
