import { call, Refusal } from './api.js';
import { onSubmit } from './form.js';
import { find, findForm, show, takeQuery, tell } from './page.js';
import { confirmationOf } from './words.js';

const GONE =
  'This link has expired or was used already. Sign in: then you can ask for another one, or it is sent to you at once.';

/** By what the link was for. */
const DONE = {
  address: 'The address is confirmed. You can sign in with it now.',
  agreement:
    'You have agreed. A mail is on its way to the new address: open its link in this browser, too.',
  'new address': 'The address is confirmed. It is the one of your account from now on.',
};

/** By the code of the sign-in routes; what is none of them can be tried again. */
const REFUSALS = new Map([
  ['INVALID_TOKEN', GONE],
  ['TOKEN_EXPIRED', GONE],
  ['USER_NOT_FOUND', GONE],
  ['INVALID_USER', 'This link is for another account than the one that you are signed in to here.'],
  ['SIGN_IN_FIRST', 'Sign in first. Then open the link of the mail once more.'],
]);

const token = takeQuery().get('token') ?? '';
const kind = confirmationOf(token);
const state = find('state');

if (token === '') end('bad', GONE);
else {
  tell(state, '');
  show(kind === 'address' ? 'for-address' : 'for-change');
  show('ready');
  // Not the button: a key that is pressed by chance must not confirm anything.
  document.querySelector('h1')?.focus();
}

onSubmit(findForm('confirm'), async () => {
  try {
    await call('POST', '/auth/verify-email', { token });
  } catch (error) {
    const why = error instanceof Refusal ? REFUSALS.get(error.code) : undefined;
    if (why === undefined) throw error;
    end('bad', why);
    return;
  }
  end('good', DONE[kind]);
  if (kind === 'address') return;
  show('sign-in', false);
  show('account');
});

/** What stays to be said when the link has done what it can. @param {'good' | 'bad'} how @param {string} text */
function end(how, text) {
  show('ready', false);
  state.classList.add(how);
  tell(state, text);
}
