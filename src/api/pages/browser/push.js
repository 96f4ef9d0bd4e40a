/** Web Push subscription of this browser. */
import { ApiError } from './api.js';

/** True when the browser supports push, which requires TLS or localhost. */
export const canPush =
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

/** @typedef {{ endpoint: string, p256dh: string, auth: string }} PushSettings */

/** Current subscription of this browser. @returns {Promise<PushSettings | null>} */
export async function currentPush() {
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  return subscription ? settingsOf(subscription.toJSON()) : null;
}

/**
 * Requests permission for notifications and subscribes. Throws an ApiError when it is denied.
 *
 * @param {string} publicKey of the installation
 * @returns {Promise<PushSettings>}
 */
export async function subscribe(publicKey) {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new ApiError(0, {
      message:
        'This browser blocks notifications of this site. Allow them in its settings, then try again.',
    });
  await navigator.serviceWorker.register('service-worker.js');
  const { pushManager } = await navigator.serviceWorker.ready;
  // A subscription with another key can't be reused.
  await (await pushManager.getSubscription())?.unsubscribe();
  try {
    const applicationServerKey = bytesOf(publicKey);
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
    return settingsOf(made.toJSON());
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    throw new ApiError(0, {
      message: `This browser could not subscribe at its push service: ${error.message}`,
    });
  }
}

/** Cancels the subscription of this browser. */
export async function unsubscribe() {
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/**
 * Converts a subscription for the API. Throws an ApiError when it has no keys.
 *
 * @param {PushSubscriptionJSON} subscription
 * @returns {PushSettings}
 */
export function settingsOf({ endpoint, keys }) {
  const { p256dh, auth } = keys ?? {};
  if (!endpoint || !p256dh || !auth)
    throw new ApiError(0, { message: 'This browser does not support encrypted push messages.' });
  return { endpoint, p256dh, auth };
}

/** @param {string} base64url @returns {Uint8Array<ArrayBuffer>} */
export function bytesOf(base64url) {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
