/** Two-factor authentication: enabling it requires the password and a code, disabling it the password. */
import { call, ApiError } from './api.js';
import { onSubmit } from './form.js';
import { find, findForm, show, setText } from './page.js';
import { secretOf } from './format.js';

/** Shown after the first valid code; the codes are not active before. @type {string[]} */
let recoveryCodes = [];

/**
 * @param {{ id: number }} user
 * @param {object | null} team
 */
export async function startFactor(user, team) {
  showState(await isOn(user, team));

  onSubmit(
    findForm('factor-on'),
    async (values) => {
      const { totpURI, backupCodes } = await call(
        'POST',
        '/auth/two-factor/enable',
        passwordOf(values),
      );
      recoveryCodes = backupCodes;
      find('factor-uri').setAttribute('href', totpURI);
      const secret = find('factor-secret');
      secret.textContent = secretOf(totpURI);
      secret.dataset['value'] = secretOf(totpURI).replaceAll(' ', '');
      findForm('factor-on').reset();
      show('factor-off', false);
      show('factor-confirm');
      find('code').focus();
    },
    { INVALID_PASSWORD: 'password' },
  );

  onSubmit(
    findForm('factor-code'),
    async (values) => {
      const code = String(values.get('code')).replaceAll(/\D/g, '');
      await call('POST', '/auth/two-factor/verify-totp', { code });
      findForm('factor-code').reset();
      find('factor-secret').textContent = '';
      find('factor-uri').removeAttribute('href');
      show('factor-confirm', false);
      showState(true);
      find('recovery-codes').textContent = recoveryCodes.join('\n');
      recoveryCodes = [];
      show('recovery');
      find('recovery').querySelector('p')?.focus();
    },
    { INVALID_CODE: 'code', CODE_USED: 'code' },
  );

  onSubmit(
    findForm('factor-off-form'),
    async (values) => {
      await call('POST', '/auth/two-factor/disable', passwordOf(values));
      findForm('factor-off-form').reset();
      show('recovery', false);
      showState(false);
      find('factor-state').focus();
    },
    { INVALID_PASSWORD: 'password' },
  );
}

/**
 * Reads the state from the list of members; without a team, from the sign-in routes, whose rate limit is low.
 *
 * @param {{ id: number }} user
 * @param {object | null} team
 * @returns {Promise<boolean>}
 */
async function isOn(user, team) {
  if (team === null) {
    const session = await call('GET', '/auth/get-session').catch(nothing);
    return session?.user?.twoFactorEnabled === true;
  }
  const { data } = await call('GET', '/v1/users');
  return data.some(
    (/** @type {{ id: number, mfa_enabled: boolean }} */ member) =>
      member.id === user.id && member.mfa_enabled,
  );
}

/** @param {unknown} error */
function nothing(error) {
  if (error instanceof ApiError) return null;
  throw error;
}

/** Body with the password, if one was entered. @param {FormData} values */
function passwordOf(values) {
  const password = String(values.get('password'));
  return password === '' ? {} : { password };
}

/** @param {boolean} isActive */
function showState(isActive) {
  setText(
    find('factor-state'),
    isActive
      ? 'On: signing in with your password also requires a code from your authenticator.'
      : 'Off. When it is on, a password alone is not enough to sign in.',
  );
  show('factor-active', isActive);
  show('factor-off', !isActive);
}
