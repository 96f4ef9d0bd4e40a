/** Two-factor authentication: turning it on takes the password and one code, turning it off the password. */
import { call, Refusal } from './api.js';
import { onSubmit } from './form.js';
import { find, findForm, show, tell } from './page.js';
import { secretOf } from './words.js';

/** Shown when the first code was right, not before: till then they open nothing. @type {string[]} */
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
      const { totpURI, backupCodes } = await call('POST', '/auth/two-factor/enable', given(values));
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
      await call('POST', '/auth/two-factor/disable', given(values));
      findForm('factor-off-form').reset();
      show('recovery', false);
      showState(false);
      find('factor-state').focus();
    },
    { INVALID_PASSWORD: 'password' },
  );
}

/**
 * The list of members knows it; who is in no team is asked about at the sign-in routes, whose budget is small.
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
  if (error instanceof Refusal) return null;
  throw error;
}

/** The password, unless they have none. @param {FormData} values */
function given(values) {
  const password = String(values.get('password'));
  return password === '' ? {} : { password };
}

/** @param {boolean} isActive */
function showState(isActive) {
  tell(
    find('factor-state'),
    isActive
      ? 'It is on: signing in with your password takes a code of your authenticator, too.'
      : 'It is off. With it, a password alone lets nobody in.',
  );
  show('factor-active', isActive);
  show('factor-off', !isActive);
}
