import { call, Refusal } from './api.js';
import { filled, newPassword, onSubmit } from './form.js';
import { find, findForm, nameAccount, show, takeQuery, tell, wordsOf } from './page.js';
import { fieldMessage } from './words.js';

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
  tell(state, fieldMessage(wordsOf(error), 'token', 'This link'));
  show('sign-in-first', error instanceof Refusal && error.status === 422);
}
if (invitation !== null) showInvitation(invitation);

/** @param {NonNullable<typeof invitation>} shown */
function showInvitation({ team, inviter, email, role, expires_at, has_account }) {
  tell(state, '');
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
  nameAccount(email);
  show('ready');
}

onSubmit(findForm('accept'), async (values) => {
  if (invitation === null) return;
  const { email, has_account } = invitation;
  if (has_account) {
    await accept({ token });
    location.assign('account');
    return;
  }
  const password = newPassword(values, 'password');
  await accept({ token, password, ...filled(values, ['name']) });
  await call('POST', '/auth/sign-in/email', { email, password }).catch(() => null);
  location.assign('account');
});

/** Who must show first that the address is theirs is led to signing in. @param {object} body */
async function accept(body) {
  try {
    await call('POST', '/v1/invitations/accept', body);
  } catch (error) {
    if (error instanceof Refusal && error.status === 403) show('sign-in-first');
    throw error;
  }
}
