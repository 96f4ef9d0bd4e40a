import { call, ApiError } from './api.js';
import { choicesOf, destinationOf, isOpenable, noteOf } from './connect-text.js';
import { onSubmit } from './form.js';
import { createElement, find, findForm, messageOf, onPress, setText, show } from './page.js';
import { guardSubmit } from './submit-guard.js';

/** @import { Team } from './connect-text.js' */

/**
 * @typedef {{
 *   client: { name: string | null, redirect_host: string }, scopes: string[], teams: Team[],
 * }} ConsentRequest
 */

const INVALID =
  'This request is no longer valid, or is incomplete. Go back to the application and connect it again.';
const UNKNOWN_CLIENT =
  'Tocsin does not know this application, or not any more. Remove Tocsin in the application, add it there again, and connect it.';
const NO_TEAM =
  'You have no active team that an application could use. Open the link of your invitation, or ask for one. Then connect the application again.';

/** The signed request, which stays in the address bar so that the page can be loaded again. */
const query = location.search.slice(1);
const state = find('state');
const teamSelect = /** @type {HTMLSelectElement} */ (find('team'));
/** @type {ConsentRequest} */
let request = { client: { name: null, redirect_host: '' }, scopes: [], teams: [] };
/** Changes of the person to the choices, which they keep in another team. @type {Map<string, boolean>} */
const changes = new Map();

const guard = guardSubmit(findForm('consent'));
find('again').addEventListener('click', load);
teamSelect.addEventListener('change', showChoices);
onSubmit(findForm('consent'), (values) =>
  answer({
    accept: true,
    team_id: Number(values.get('team_id')),
    // The data of a form lacks boxes that can't be changed.
    permissions: ['read', ...values.getAll('permissions')],
  }),
);
onPress(/** @type {HTMLButtonElement} */ (find('cancel')), () => answer({ accept: false }));
await load();

async function load() {
  show('again', false);
  // Requests that can't be sent back to the application come without a signature.
  const given = new URLSearchParams(query);
  if (given.get('error') === 'invalid_client') return showProblem(UNKNOWN_CLIENT);
  if (given.has('host')) return showProblem(refusedText(given));
  if (!given.has('sig')) return showProblem(INVALID);
  try {
    const { user } = await call('GET', '/v1');
    const asked = await readRequest();
    if (asked === null) showProblem(INVALID);
    else showRequest(asked, user.email);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return signIn();
    showProblem(messageOf(error));
    show('again');
  }
}

/** @param {URLSearchParams} given error of an application that this person has not connected */
function refusedText(given) {
  const why = given.get('error_description') || given.get('error');
  return `An application of ${given.get('host')} asked for access in a way that is not possible (${why}). If you have just started to connect it, start again there; else close this page.`;
}

/** @returns {Promise<ConsentRequest | null>} null when the server refuses it, which it will again */
async function readRequest() {
  try {
    return await call('GET', `/auth/oauth2/consent-request?${query}`);
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

/** @param {unknown} error */
function isRefusal(error) {
  return error instanceof ApiError && error.status >= 400 && error.status < 429;
}

function signIn() {
  location.replace(signInAddress());
}

/** Address of the sign-in page, which leads back to this request. */
function signInAddress() {
  return `sign-in?${new URLSearchParams({ next: location.pathname + location.search })}`;
}

/** @param {string} text */
function showProblem(text) {
  show('ready', false);
  state.className = 'notice bad';
  setText(state, text);
}

/** @param {ConsentRequest} asked @param {string} email */
function showRequest(asked, email) {
  const { client, teams } = (request = asked);
  if (teams.length === 0) return showProblem(NO_TEAM);
  const name = client.name ?? client.redirect_host;
  find('headline').replaceChildren('Connect “', createElement('bdi', { text: name }), '”?');
  document.title = `Connect ${name}? · Tocsin`;
  find('person').textContent = email;
  find('destination').textContent = destinationOf(client.redirect_host);
  /** @type {HTMLAnchorElement} */ (find('other-account')).href = signInAddress();
  show('other-account');
  showTeams(teams);
  showChoices();
  setText(state, '');
  show('ready');
  guard();
  find('headline').focus();
}

/** @param {Team[]} teams */
function showTeams(teams) {
  const options = teams.map(({ id, name, role }) =>
    createElement('option', { value: String(id), text: `${name} (${role})` }),
  );
  teamSelect.replaceChildren(...options);
  const current = teams.find((team) => team.is_current && !team.needs_mfa);
  const usable = current ?? teams.find((team) => !team.needs_mfa);
  if (usable !== undefined) teamSelect.value = String(usable.id);
  find('team-name').textContent = teams[0]?.name ?? '';
  show('only-team', teams.length === 1);
  show('team-field', teams.length > 1);
}

function showChoices() {
  const { scopes, teams } = request;
  const team = teams.find(({ id }) => String(id) === teamSelect.value);
  if (team === undefined) return;
  const labels = choicesOf(scopes, team).map(({ permission, text, isChosen, isFixed }) => {
    const box = /** @type {HTMLInputElement} */ (
      createElement('input', { type: 'checkbox', name: 'permissions', value: permission })
    );
    box.checked = isFixed ? isChosen : (changes.get(permission) ?? isChosen);
    box.disabled = isFixed;
    box.addEventListener('change', () => changes.set(permission, box.checked));
    return createElement('label', { class: 'choice' }, [box, createElement('span', { text })]);
  });
  find('choices').replaceChildren(...labels);
  setText(find('note'), noteOf(scopes, team));
  findForm('consent').querySelector('button')?.toggleAttribute('disabled', team.needs_mfa);
}

/**
 * Sends the person's answer, and opens the application with its result.
 *
 * @param {{ accept: boolean, team_id?: number, permissions?: unknown[] }} decision
 */
async function answer(decision) {
  const url = await send(decision);
  if (!isOpenable(url)) return showProblem(INVALID);
  show('ready', false);
  show('other-account', false);
  find('headline').textContent = decision.accept ? 'Connected' : 'Not connected';
  state.className = decision.accept ? 'notice good' : 'notice';
  setText(state, 'Go back to the application. You can close this page.');
  // An application on the device opens beside this page, which stays.
  /** @type {HTMLAnchorElement} */ (find('open')).href = url;
  show('open-application');
  find('headline').focus();
  location.assign(url);
}

/** @param {object} decision @returns {Promise<string>} the address at which the application gets the result */
async function send(decision) {
  try {
    const { url } = await call('POST', '/auth/oauth2/consent', { ...decision, oauth_query: query });
    return url;
  } catch (error) {
    // The session or the request has ended meanwhile: loading again says which.
    if (isRefusal(error)) await load();
    throw error;
  }
}
