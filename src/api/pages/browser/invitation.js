import { call, callWithTimeZone, ApiError } from './api.js';
import { filledFields, newPassword, onSubmit } from './form.js';
import { find, findForm, setUsername, show, takeQuery, setText, messageOf } from './page.js';
import { fieldMessage } from './format.js';

const token = takeQuery().get('token') ?? '';
const state = find('state');
const signIn = find('sign-in-first').querySelector('a');
if (signIn !== null)
  signIn.href = `sign-in?${new URLSearchParams({ next: `${location.pathname}?token=${token}` })}`;
/** @type {{ team: string, inviter: string | null, email: string, role: string, expires_at: string, has_account: boolean } | null} */
let invitation = null;

try {
  invitation = await call('GET', `/v1/invitations/preview?${new URLSearchParams({ token })}`);
} catch (error) {
  state.classList.add('bad');
  setText(state, fieldMessage(messageOf(error), 'token', 'This link'));
  show('sign-in-first', error instanceof ApiError && error.status === 422);
}
if (invitation !== null) showInvitation(invitation);

/** @param {NonNullable<typeof invitation>} shown */
function showInvitation({ team, inviter, email, role, expires_at, has_account }) {
  setText(state, '');
  find('offer').textContent =
    inviter === null ? 'You are invited to a team.' : `${inviter} invites you to a team.`;
  find('team').textContent = team;
  find('role').textContent = role;
  find('email').textContent = email;
  find('until').textContent = new Date(expires_at).toLocaleString(undefined, {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  show('has-account', has_account);
  show('new-person', !has_account);
  for (const input of find('new-person').querySelectorAll('input')) input.disabled = has_account;
  setUsername(email);
  show('ready');
}

onSubmit(findForm('accept'), async (values) => {
  if (invitation === null) return;
  const { email, has_account } = invitation;
  if (has_account) {
    await accept({ token });
    location.assign('monitors');
    return;
  }
  const password = newPassword(values, 'password');
  await accept({ token, password, ...filledFields(values, ['name']) });
  await call('POST', '/auth/sign-in/email', { email, password }).catch(() => null);
  location.assign('monitors');
});

/** Accepts the invitation; offers to sign in when that is required first. @param {object} body */
async function accept(body) {
  try {
    await callWithTimeZone('POST', '/v1/invitations/accept', body);
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) show('sign-in-first');
    throw error;
  }
}
