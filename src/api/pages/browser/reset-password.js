import { call, Refusal } from './api.js';
import { newPassword, onSubmit } from './form.js';
import { find, findForm, show, takeQuery, tell } from './page.js';

const query = takeQuery();
const token = query.get('token') ?? '';
const state = find('state');
const GONE = 'This link has expired or was used already. Ask for another one.';

if (token === '' || query.has('error')) giveUp(GONE);
else {
  tell(state, '');
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
      if (!(error instanceof Refusal) || error.code !== 'INVALID_TOKEN') throw error;
      giveUp(GONE);
      return;
    }
    show('ready', false);
    state.classList.add('good');
    tell(state, 'The password is set. Sign in with it now.');
  },
  { PASSWORD_TOO_SHORT: 'newPassword', PASSWORD_TOO_LONG: 'newPassword' },
);

/** @param {string} why */
function giveUp(why) {
  show('ready', false);
  state.classList.add('bad');
  tell(state, why);
}
