import { call, ApiError } from './api.js';
import { choicesOf, destinationOf, isOpenable, roleNote } from './connect-text.js';
import { onSubmit } from './form.js';
import { createElement, find, findForm, messageOf, onPress, setText, show } from './page.js';

/** @typedef {{ id: number, name: string, role: string }} Team */
/** @typedef {{ client: { name: string, host: string }, scopes: string[], teams: Team[] }} ConsentRequest */

/** The signed request, which stays in the address bar so that the page can be loaded again. */
const request = location.search.slice(1);
const state = find('state');
const teamSelect = /** @type {HTMLSelectElement} */ (find('team'));
/** Changes that the person made to the choices, kept when they switch the team. @type {Map<string, boolean>} */
const made = new Map();

find('again').addEventListener('click', load);
await load();

async function load() {
  show('again', false);
  if (request === '') return showProblem(INVALID);
  try {
    const [asked, { user, team }] = await Promise.all([
      call('GET', `/auth/oauth2/consent-request?${request}`),
      call('GET', '/v1'),
    ]);
    showRequest(asked, user.email, team?.id);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return signInFirst();
    // Only a refused request has another answer than one that may succeed later.
    const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 429;
    showProblem(isRefused ? INVALID : messageOf(error));
    show('again', !isRefused);
  }
}

const INVALID =
  'This request is no longer valid, or is incomplete. Go back to the application and connect it again.';

function signInFirst() {
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

/** @param {ConsentRequest} asked @param {string} email @param {number | undefined} currentTeam */
function showRequest({ client, scopes, teams }, email, currentTeam) {
  if (teams.length === 0)
    return showProblem(
      'You have no active team that an application could use. Open the link of your invitation, or ask for one, then connect it again.',
    );
  find('headline').replaceChildren('Connect “', createElement('bdi', { text: client.name }), '”?');
  document.title = `Connect ${client.name}? · Tocsin`;
  find('person').textContent = email;
  find('destination').textContent = destinationOf(client.host);
  /** @type {HTMLAnchorElement} */ (find('other-account')).href = signInAddress();
  show('other-account');
  showTeams(teams, currentTeam);
  const update = () => showChoices(scopes, chosenTeam(teams));
  teamSelect.addEventListener('change', update);
  update();
  setText(state, '');
  show('ready');
  find('headline').focus();
}

/** @param {Team[]} teams @param {number | undefined} current */
function showTeams(teams, current) {
  const options = teams.map(({ id, name, role }) =>
    createElement('option', { value: String(id), text: `${name} (${role})` }),
  );
  teamSelect.replaceChildren(...options);
  if (teams.some(({ id }) => id === current)) teamSelect.value = String(current);
  find('team-name').textContent = teams[0]?.name ?? '';
  show('only-team', teams.length === 1);
  show('team-field', teams.length > 1);
}

/** @param {Team[]} teams @returns {Team} */
function chosenTeam(teams) {
  const team = teams.find(({ id }) => String(id) === teamSelect.value);
  if (team === undefined) throw new Error('No team is chosen.');
  return team;
}

/** @param {string[]} scopes @param {Team} team */
function showChoices(scopes, { role }) {
  const labels = choicesOf(scopes, role).map(({ permission, text, isChosen, isFixed }) => {
    const box = /** @type {HTMLInputElement} */ (
      createElement('input', { type: 'checkbox', name: 'permissions', value: permission })
    );
    box.checked = isFixed ? isChosen : (made.get(permission) ?? isChosen);
    box.disabled = isFixed;
    box.addEventListener('change', () => made.set(permission, box.checked));
    return createElement('label', { class: 'choice' }, [box, createElement('span', { text })]);
  });
  find('choices').replaceChildren(...labels);
  setText(find('role-note'), roleNote(scopes, role));
}

onSubmit(findForm('consent'), async (values) => {
  await answer({
    accept: true,
    team_id: Number(values.get('team_id')),
    // A box that can't be changed is not in the form's data.
    permissions: ['read', ...values.getAll('permissions')],
  });
});

onPress(/** @type {HTMLButtonElement} */ (find('cancel')), () => answer({ accept: false }));

/**
 * Sends the person's answer, and opens the application with its result.
 *
 * @param {{ accept: boolean, team_id?: number, permissions?: unknown[] }} decision
 */
async function answer(decision) {
  const { url } = await send(decision);
  if (!isOpenable(url)) return showProblem(INVALID);
  show('ready', false);
  state.className = decision.accept ? 'notice good' : 'notice';
  setText(state, decision.accept ? 'Connected. Go back to the application.' : 'Not connected.');
  // An application on the device opens beside this page, which stays.
  /** @type {HTMLAnchorElement} */ (find('open')).href = url;
  show('open');
  find('headline').focus();
  location.assign(url);
}

/** @param {object} decision */
async function send(decision) {
  try {
    return await call('POST', '/auth/oauth2/consent', { ...decision, oauth_query: request });
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      signInFirst();
      throw new ApiError(401, { message: 'Your session has ended. Sign in again.' });
    }
    throw error;
  }
}
