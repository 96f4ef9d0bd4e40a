import { call, ApiError } from './api.js';
import { newPassword, onSubmit } from './form.js';
import { find, findForm, show, takeQuery, setText } from './page.js';

const query = takeQuery();
const token = query.get('token') ?? '';
const state = find('state');
const GONE = 'This link has expired or was used already. Ask for another one.';

if (token === '' || query.has('error')) showFailure(GONE);
else {
  setText(state, '');
  show('ready');
  find('newPassword').focus();
}

onSubmit(
  findForm('reset'),
  async (values) => {
    const password = newPassword(values, 'newPassword');
    try {
      await call('POST', '/auth/reset-password', { newPassword: password, token });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'INVALID_TOKEN') throw error;
      showFailure(GONE);
      return;
    }
    show('ready', false);
    state.classList.add('good');
    setText(state, 'The password is set. Sign in with it now.');
  },
  { PASSWORD_TOO_SHORT: 'newPassword', PASSWORD_TOO_LONG: 'newPassword' },
);

/** @param {string} why */
function showFailure(why) {
  show('ready', false);
  state.classList.add('bad');
  setText(state, why);
}
