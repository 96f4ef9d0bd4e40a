/** Passkeys (WebAuthn), with the browser's own JSON conversion. */
import { words } from '../words/index.ts';
import { ApiError, callAuth } from './client.ts';

/** True when the browser supports passkeys, which require TLS or localhost. */
export const canUsePasskeys =
  typeof PublicKeyCredential !== 'undefined' &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential &&
  'parseCreationOptionsFromJSON' in PublicKeyCredential;

/** Signs in with a passkey that the person chooses. Throws an ApiError. */
export async function signInByPasskey(): Promise<void> {
  const options = await callAuth<PublicKeyCredentialRequestOptionsJSON>(
    'GET',
    '/passkey/generate-authenticate-options',
  );
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const response = await requestCredential(() => navigator.credentials.get({ publicKey }));
  await callAuth('POST', '/passkey/verify-authentication', { response });
}

/** Adds a passkey for the signed-in person. Throws an ApiError. */
export async function addPasskey(name: string): Promise<void> {
  const options = await callAuth<PublicKeyCredentialCreationOptionsJSON>(
    'GET',
    `/passkey/generate-register-options?${new URLSearchParams({ name })}`,
  );
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const response = await requestCredential(() => navigator.credentials.create({ publicKey }));
  await callAuth('POST', '/passkey/verify-registration', { response, name });
}

/** Requests a credential from the browser, as JSON. */
async function requestCredential(request: () => Promise<Credential | null>): Promise<unknown> {
  try {
    const credential = (await request()) as PublicKeyCredential | null;
    if (credential !== null) return credential.toJSON();
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    if (error.name === 'InvalidStateError')
      throw new ApiError(0, { message: words.credentials.passkeyKnown });
  }
  throw new ApiError(0, { message: words.credentials.passkeyCanceled });
}
