import { call, ApiError } from './api.js';
import { onSubmit } from './form.js';
import { find, findForm, show, takeQuery, setText } from './page.js';
import { confirmationOf } from './format.js';

const GONE = 'This link has expired or was already used. Sign in to get a new one.';

/** Messages by purpose of the link. */
const DONE = {
  address: 'The address is confirmed. You can sign in with it now.',
  agreement:
    'You have agreed. A mail is on its way to the new address: open its link in this browser, too.',
  'new address': 'The address is confirmed. It is now the address of your account.',
};

/** Messages by error code of the sign-in routes; other errors can be retried. */
const REFUSALS = new Map([
  ['INVALID_TOKEN', GONE],
  ['TOKEN_EXPIRED', GONE],
  ['USER_NOT_FOUND', GONE],
  ['INVALID_USER', 'This link is for another account than the one you are signed in to.'],
  ['SIGN_IN_FIRST', 'Sign in first. Then open the link in the mail again.'],
]);

const token = takeQuery().get('token') ?? '';
const kind = confirmationOf(token);
const state = find('state');

if (token === '') end('bad', GONE);
else {
  setText(state, '');
  show(kind === 'address' ? 'for-address' : 'for-change');
  show('ready');
  // Not the button, so that an accidental key press confirms nothing.
  document.querySelector('h1')?.focus();
}

onSubmit(findForm('confirm'), async () => {
  try {
    await call('POST', '/auth/verify-email', { token });
  } catch (error) {
    const why = error instanceof ApiError ? REFUSALS.get(error.code) : undefined;
    if (why === undefined) throw error;
    end('bad', why);
    return;
  }
  end('good', DONE[kind]);
  if (kind === 'address') return;
  show('sign-in', false);
  show('account');
});

/** Shows the final message. @param {'good' | 'bad'} how @param {string} text */
function end(how, text) {
  show('ready', false);
  state.classList.add(how);
  setText(state, text);
}
