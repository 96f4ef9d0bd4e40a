/** Passkeys (WebAuthn), with the browser's own JSON conversion. */
import { call, ApiError } from './api.js';

/** True when the browser supports passkeys, which require TLS or localhost. */
export const canUsePasskeys =
  typeof PublicKeyCredential !== 'undefined' &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential &&
  'parseCreationOptionsFromJSON' in PublicKeyCredential;

/** Signs in with a passkey that the person chooses. */
export async function signInByPasskey() {
  const options = await call('GET', '/auth/passkey/generate-authenticate-options');
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const response = await requestCredential(() => navigator.credentials.get({ publicKey }));
  await call('POST', '/auth/passkey/verify-authentication', { response });
}

/** Adds a passkey for the signed-in person. @param {string} name */
export async function addPasskey(name) {
  const query = new URLSearchParams({ name });
  const path = `/auth/passkey/generate-register-options?${query}`;
  const options = await call('GET', path);
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const response = await requestCredential(() => navigator.credentials.create({ publicKey }));
  await call('POST', '/auth/passkey/verify-registration', { response, name });
}

/**
 * Requests a credential from the browser, as JSON.
 *
 * @param {() => Promise<Credential | null>} ask
 * @returns {Promise<object>}
 */
async function requestCredential(ask) {
  try {
    const credential = /** @type {PublicKeyCredential | null} */ (await ask());
    if (credential !== null) return credential.toJSON();
  } catch (error) {
    const isKnown = error instanceof DOMException && error.name === 'InvalidStateError';
    if (isKnown) throw new ApiError(0, { message: 'This device already has a passkey for you.' });
    if (!(error instanceof DOMException)) throw error;
  }
  throw new ApiError(0, {
    message: 'No passkey was used: the request was canceled or timed out. Try again.',
  });
}
