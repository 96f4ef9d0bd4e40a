import { call, callWithTimeZone } from './api.js';
import { filledFields, newPassword, onSubmit } from './form.js';
import { find, findForm, show, takeQuery, setText, messageOf } from './page.js';

const token = takeQuery().get('token') ?? '';
const state = find('state');
try {
  const { email } = await call('GET', `/v1/setup/state?${new URLSearchParams({ token })}`);
  const input = /** @type {HTMLInputElement} */ (find('email'));
  // The default address of an owner is not a mailbox.
  if (email !== null && !email.endsWith('@localhost')) input.value = email;
  setText(state, '');
  show('ready');
  find('name').focus();
} catch (error) {
  state.classList.add('bad');
  setText(state, messageOf(error));
  show('sign-in-instead');
}

onSubmit(findForm('setup'), async (values) => {
  const password = newPassword(values, 'password');
  const { user } = await callWithTimeZone('POST', '/v1/setup', {
    token,
    password,
    ...filledFields(values, ['name', 'email', 'team_name']),
  });
  await call('POST', '/auth/sign-in/email', { email: user.email, password }).catch(() => null);
  location.assign('start');
});
