import { call } from './api.js';
import { filled, newPassword, onSubmit } from './form.js';
import { find, findForm, show, takeQuery, tell, wordsOf } from './page.js';

const token = takeQuery().get('token') ?? '';
const state = find('state');
try {
  const { email } = await call('GET', `/v1/setup/state?${new URLSearchParams({ token })}`);
  const input = /** @type {HTMLInputElement} */ (find('email'));
  // The address of an owner who has none yet stands for no mailbox.
  if (email !== null && !email.endsWith('@localhost')) input.value = email;
  tell(state, '');
  show('ready');
  find('name').focus();
} catch (error) {
  state.classList.add('bad');
  tell(state, wordsOf(error));
  show('sign-in-instead');
}

onSubmit(findForm('setup'), async (values) => {
  const password = newPassword(values, 'password');
  const { user } = await call('POST', '/v1/setup', {
    token,
    password,
    ...filled(values, ['name', 'email', 'team_name']),
  });
  await call('POST', '/auth/sign-in/email', { email: user.email, password }).catch(() => null);
  location.assign('account');
});
