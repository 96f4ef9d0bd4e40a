/** Two-factor authentication: enabling it requires the password and a code, disabling it the password. */
import { withProof } from './account-proof.js';
import { call, ApiError } from './api.js';
import { onSubmit } from './form.js';
import { createElement, find, findForm, show, setText } from './page.js';
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
      const { totpURI, backupCodes } = await withProof(() =>
        call('POST', '/auth/two-factor/enable', passwordOf(values)),
      );
      recoveryCodes = backupCodes;
      find('factor-uri').setAttribute('href', totpURI);
      const secret = find('factor-secret');
      secret.textContent = secretOf(totpURI);
      secret.dataset['value'] = secretOf(totpURI).replaceAll(' ', '');
      await showQrCode(totpURI);
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
      await withProof(() => call('POST', '/auth/two-factor/verify-totp', { code }));
      findForm('factor-code').reset();
      find('factor-secret').textContent = '';
      find('factor-uri').removeAttribute('href');
      find('factor-qr').replaceChildren();
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
      await withProof(() => call('POST', '/auth/two-factor/disable', passwordOf(values)));
      findForm('factor-off-form').reset();
      show('recovery', false);
      showState(false);
      find('factor-state').focus();
    },
    { INVALID_PASSWORD: 'password' },
  );
}

/** Draws the URI in the browser, so that the secret is sent nowhere. @param {string} uri */
async function showQrCode(uri) {
  const { encodeQR } = await import('./qr.js');
  const image = createElement('img', {
    class: 'qr',
    src: encodeQR(uri, 'data-url', { border: 4, scale: 4 }),
    alt: 'QR code for your authenticator. The secret below says the same.',
  });
  find('factor-qr').replaceChildren(image);
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
