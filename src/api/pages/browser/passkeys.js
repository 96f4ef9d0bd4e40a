/** Passkeys (WebAuthn), by the browser's own reading and writing of their JSON. */
import { call, Refusal } from './api.js';

/** Whether this browser can; it can't on addresses without TLS but localhost. */
export const canUsePasskeys =
  typeof PublicKeyCredential !== 'undefined' &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential &&
  'parseCreationOptionsFromJSON' in PublicKeyCredential;

/** Signs in with one; the browser asks which. */
export async function signInByPasskey() {
  const options = await call('GET', '/auth/passkey/generate-authenticate-options');
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const response = await asked(() => navigator.credentials.get({ publicKey }));
  await call('POST', '/auth/passkey/verify-authentication', { response });
}

/** Makes one for who is signed in. @param {string} name */
export async function addPasskey(name) {
  const query = new URLSearchParams({ name });
  const path = `/auth/passkey/generate-register-options?${query}`;
  const options = await call('GET', path).catch((/** @type {Refusal} */ refusal) => {
    if (refusal.code !== 'SESSION_NOT_FRESH') throw refusal;
    throw new Refusal(refusal.status, {
      message: 'You signed in long ago. Sign out and in again, then add the passkey.',
    });
  });
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const response = await asked(() => navigator.credentials.create({ publicKey }));
  await call('POST', '/auth/passkey/verify-registration', { response, name });
}

/**
 * What the browser and its person answer, as JSON.
 *
 * @param {() => Promise<Credential | null>} ask
 * @returns {Promise<object>}
 */
async function asked(ask) {
  try {
    const credential = /** @type {PublicKeyCredential | null} */ (await ask());
    if (credential !== null) return credential.toJSON();
  } catch (error) {
    const isKnown = error instanceof DOMException && error.name === 'InvalidStateError';
    if (isKnown) throw new Refusal(0, { message: 'This device has a passkey for you already.' });
    if (!(error instanceof DOMException)) throw error;
  }
  throw new Refusal(0, {
    message: 'No passkey was used: the browser was told to stop, or waited too long. Try again.',
  });
}
