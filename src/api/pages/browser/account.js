import { startApplications } from './account-applications.js';
import { startFactor } from './account-factor.js';
import { startPasskeys } from './account-passkeys.js';
import { startProof } from './account-proof.js';
import { startPush } from './account-push.js';
import { startSessions } from './account-sessions.js';
import { startTokens } from './account-tokens.js';
import { call, ApiError } from './api.js';
import { newPassword, onSubmit } from './form.js';
import {
  enableCopying,
  find,
  findForm,
  createElement,
  setUsername,
  onPress,
  show,
  setText,
  messageOf,
} from './page.js';

const state = find('state');

/** Shows the signed-in person and their teams. */
async function loadPerson() {
  const [{ user, team }, teams] = await Promise.all([call('GET', '/v1'), call('GET', '/v1/teams')]);
  find('email').textContent = user.email;
  setUsername(user.email);
  find('team').textContent =
    team === null ? 'none' : `${team.name} (${roleIn(teams.data, team.id)})`;
  show('no-team', team === null);
  fill('name', user.name);
  fill('timezone', user.timezone);
  showTeams(teams.data.filter((/** @type {Team} */ { id }) => id !== team?.id));
  return { user, team };
}

/** @typedef {{ id: number, name: string, role: string }} Team */

/** @param {Team[]} teams @param {number} id */
function roleIn(teams, id) {
  return teams.find((team) => team.id === id)?.role ?? 'member';
}

/** @param {Team[]} others */
function showTeams(others) {
  show('switch', others.length > 0);
  find('other-team').replaceChildren(
    ...others.map(({ id, name, role }) =>
      createElement('option', { value: String(id), text: `${name} (${role})` }),
    ),
  );
}

/** @param {string} id @param {string} value */
function fill(id, value) {
  /** @type {HTMLInputElement} */ (find(id)).value = value;
}

async function start() {
  const { user, team } = await loadPerson();
  find('time-zones').replaceChildren(
    ...Intl.supportedValuesOf('timeZone').map((value) => createElement('option', { value })),
  );
  setText(state, '');
  show('ready');
  startProof();
  await Promise.all([
    startFactor(user, team),
    startPasskeys(),
    startPush(),
    startSessions(),
    startTokens(),
    startApplications(),
  ]);
}

onSubmit(findForm('profile'), async (values) => {
  await call('PUT', '/v1/account', {
    name: String(values.get('name')).trim(),
    timezone: String(values.get('timezone')).trim(),
  });
  return 'Saved.';
});

onSubmit(findForm('switch'), async (values) => {
  await call('POST', `/v1/teams/${values.get('team')}/switch`);
  location.reload();
});

onSubmit(
  findForm('password'),
  async (values) => {
    await call('POST', '/auth/change-password', {
      currentPassword: values.get('currentPassword'),
      newPassword: newPassword(values, 'newPassword'),
    });
    findForm('password').reset();
    await startSessions();
    return 'The password is changed. Your other sessions have ended.';
  },
  {
    INVALID_PASSWORD: 'currentPassword',
    PASSWORD_TOO_SHORT: 'newPassword',
    PASSWORD_TOO_LONG: 'newPassword',
  },
);

onPress(/** @type {HTMLButtonElement} */ (find('sign-out')), async () => {
  await signOut();
  location.assign('sign-in');
});

/** Signs out; revokes the session by the API when the sign-in routes are rate limited. */
async function signOut() {
  try {
    await call('POST', '/auth/sign-out', {});
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 429) throw error;
    const { data } = await call('GET', '/v1/sessions');
    const own = data.find((/** @type {{ is_current: boolean }} */ session) => session.is_current);
    await call('DELETE', `/v1/sessions/${own.id}`);
  }
}

enableCopying();
try {
  await start();
} catch (error) {
  if (error instanceof ApiError && error.status === 401) {
    location.replace(`sign-in?${new URLSearchParams({ next: location.pathname })}`);
  } else {
    state.classList.add('bad');
    setText(state, messageOf(error));
  }
}
