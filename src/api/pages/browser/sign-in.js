import { call, ApiError } from './api.js';
import { newPassword, onSubmit } from './form.js';
import { nextPath } from './next-path.js';
import { canUsePasskeys, signInByPasskey } from './passkeys.js';
import { find, findForm, onPress, pathOf, show, takeQuery, setText } from './page.js';
import { signInFailure } from './format.js';

const query = takeQuery();
const next = nextPath(query.get('next'), pathOf('monitors'));
/** True after a correct password, while the second factor is missing. */
let isHalfway = false;

/** Shows the view named by the URL's fragment. */
function showView() {
  const wanted = location.hash.slice(1);
  const views = [...document.querySelectorAll('[data-view]')].map(
    (view) => /** @type {HTMLElement} */ (view),
  );
  const isOpen = views.some(({ dataset }) => dataset['view'] === wanted);
  const needsPassword = ['second-factor', 'recovery'].includes(wanted) && !isHalfway;
  const name = isOpen && !needsPassword ? wanted : 'sign-in';
  for (const view of views) {
    const isShown = view.dataset['view'] === name;
    view.hidden = !isShown;
    if (!isShown) continue;
    document.title = `${view.querySelector('h1')?.textContent} · Tocsin`;
    const start = view.querySelector('input') ?? view.querySelector('h1');
    start?.focus();
  }
}

function continueToNext() {
  location.assign(next);
}

const failure = query.get('error');
if (failure !== null) setText(find('failure'), signInFailure(failure));
window.addEventListener('hashchange', showView);
showView();

onSubmit(findForm('sign-in-form'), async (values) => {
  setText(find('failure'), '');
  const answer = await call('POST', '/auth/sign-in/email', {
    email: String(values.get('email')).trim(),
    password: values.get('password'),
  });
  if (answer.twoFactorRedirect !== true) return continueToNext();
  isHalfway = true;
  location.hash = 'second-factor';
});

/**
 * Handles a second-factor form; returns to the password form when the challenge has expired.
 *
 * @param {string} form
 * @param {string} path
 * @param {(typed: string) => string} clean
 */
function onSecondFactor(form, path, clean) {
  onSubmit(
    findForm(form),
    async (values) => {
      try {
        await call('POST', path, { code: clean(String(values.get('code'))) });
      } catch (error) {
        if (error instanceof ApiError && error.code === 'INVALID_TWO_FACTOR_COOKIE') {
          isHalfway = false;
          location.hash = 'sign-in';
          setText(find('failure'), 'That took too long. Sign in again.');
          return;
        }
        throw error;
      }
      continueToNext();
    },
    { INVALID_CODE: 'code', CODE_USED: 'code', INVALID_BACKUP_CODE: 'code' },
  );
}
onSecondFactor('second-factor-form', '/auth/two-factor/verify-totp', (typed) =>
  typed.replaceAll(/\D/g, ''),
);
onSecondFactor('recovery-form', '/auth/two-factor/verify-backup-code', (typed) => typed.trim());

for (const element of document.querySelectorAll('[data-provider]')) {
  const button = /** @type {HTMLButtonElement} */ (element);
  onPress(button, async () => {
    const { url } = await call('POST', '/auth/sign-in/social', {
      provider: button.dataset['provider'],
      callbackURL: next,
      errorCallbackURL: pathOf('sign-in'),
    });
    const target = URL.parse(url);
    if (target === null || !/^https?:$/.test(target.protocol)) throw new Error('No such address.');
    location.assign(target);
  });
}

if (canUsePasskeys) {
  show('others');
  show('passkey');
  onPress(/** @type {HTMLButtonElement} */ (find('passkey')), async () => {
    await signInByPasskey();
    continueToNext();
  });
}

const forgot = document.getElementById('forgot-form');
if (forgot instanceof HTMLFormElement) {
  onSubmit(forgot, async (values) => {
    const email = String(values.get('email')).trim();
    const { message } = await call('POST', '/auth/request-password-reset', { email });
    return message;
  });
}

const register = document.getElementById('register-form');
if (register instanceof HTMLFormElement) {
  onSubmit(
    register,
    async (values) => {
      const answer = await call('POST', '/auth/sign-up/email', {
        name: String(values.get('name')).trim(),
        email: String(values.get('email')).trim(),
        password: newPassword(values, 'password'),
      });
      if (answer.message === undefined) continueToNext();
      return answer.message;
    },
    {
      PASSWORD_TOO_SHORT: 'password',
      PASSWORD_TOO_LONG: 'password',
      INVALID_EMAIL: 'email',
      USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'email',
    },
  );
}
