/** Web Push of this browser, by the Push API. */
import { Refusal } from './api.js';

/** Whether this browser can; it can't on addresses without TLS but localhost. */
export const canPush =
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

/** @typedef {{ endpoint: string, p256dh: string, auth: string }} PushSettings */

/** What this browser is subscribed with, if at all. @returns {Promise<PushSettings | null>} */
export async function currentPush() {
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  return subscription ? settingsOf(subscription.toJSON()) : null;
}

/**
 * Asks whether notifications may be shown, and subscribes. Throws a Refusal where they may not.
 *
 * @param {string} publicKey of the installation
 * @returns {Promise<PushSettings>}
 */
export async function subscribe(publicKey) {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Refusal(0, {
      message:
        'This browser shows no notifications of this address. Allow them in its settings, then try again.',
    });
  await navigator.serviceWorker.register('service-worker.js');
  const { pushManager } = await navigator.serviceWorker.ready;
  // One that was made with another key can't be used with this one.
  await (await pushManager.getSubscription())?.unsubscribe();
  try {
    const applicationServerKey = bytesOf(publicKey);
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
    return settingsOf(made.toJSON());
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    throw new Refusal(0, {
      message: `This browser could not subscribe at its push service: ${error.message}`,
    });
  }
}

/** Ends what this browser is subscribed with. */
export async function unsubscribe() {
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/**
 * A subscription as the API takes it. Throws a Refusal for one without keys.
 *
 * @param {PushSubscriptionJSON} subscription
 * @returns {PushSettings}
 */
export function settingsOf({ endpoint, keys }) {
  const { p256dh, auth } = keys ?? {};
  if (!endpoint || !p256dh || !auth)
    throw new Refusal(0, { message: 'This browser can take no encrypted messages.' });
  return { endpoint, p256dh, auth };
}

/** @param {string} base64url @returns {Uint8Array<ArrayBuffer>} */
export function bytesOf(base64url) {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
