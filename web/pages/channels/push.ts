import { ApiError } from '../../app/api.ts';
import { BASE } from '../../app/place.ts';
import { words } from '../../words/index.ts';

/** Settings of the API's channel `web_push`. */
export interface PushSettings {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** True when the browser supports push, which requires TLS or localhost. */
export function canPush(): boolean {
  return (
    'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis
  );
}

/** Current subscription of this browser; null without one. */
export async function currentPush(): Promise<PushSettings | null> {
  if (!canPush()) return null;
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  return subscription ? settingsOf(subscription.toJSON()) : null;
}

/**
 * Requests permission for notifications and subscribes. Throws an ApiError when it is denied.
 *
 * @param publicKey of the installation, in base64url
 */
export async function subscribe(publicKey: string): Promise<PushSettings> {
  const { push } = words.channels;
  if ((await Notification.requestPermission()) !== 'granted')
    throw new ApiError(0, { message: push.blocked });
  await navigator.serviceWorker.register(`${BASE}/service-worker.js`);
  const { pushManager } = await navigator.serviceWorker.ready;
  // A subscription with another key can't be reused.
  await (await pushManager.getSubscription())?.unsubscribe();
  try {
    const applicationServerKey = bytesOf(publicKey);
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
    return settingsOf(made.toJSON());
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    throw new ApiError(0, { message: push.failed(error.message) });
  }
}

/** Cancels the subscription of this browser. */
export async function unsubscribe(): Promise<void> {
  if (!canPush()) return;
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

function settingsOf({ endpoint, keys }: PushSubscriptionJSON): PushSettings {
  const { p256dh, auth } = keys ?? {};
  if (!endpoint || !p256dh || !auth) throw new ApiError(0, { message: words.channels.push.noKeys });
  return { endpoint, p256dh, auth };
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
