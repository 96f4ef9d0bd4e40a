/**
 * Shows what Web Push brings (alerting/channels/web-push.ts), also while no page of ours is open. It loads and keeps
 * nothing. A classic script: Firefox takes no modules here.
 */

/**
 * @typedef {object} Push
 * @property {string} title
 * @property {string} body
 * @property {'critical' | 'warning' | 'good' | 'neutral'} tone
 * @property {string | null} tag of the alert: its next message takes the place of this one
 * @property {string | null} details
 * @property {string | null} acknowledge
 */

/** What the compiler does not know of a worker. @typedef {Event & { waitUntil(work: Promise<unknown>): void }} Lasting */
/** @typedef {Lasting & { data: { json(): unknown } | null }} PushEvent */
/** @typedef {Lasting & { notification: Notification, action: string }} PressEvent */
/** @typedef {{ openWindow(url: string): Promise<unknown> }} Windows */

const worker =
  /** @type {EventTarget & { registration: ServiceWorkerRegistration, clients: Windows }} */ (
    /** @type {unknown} */ (self)
  );

worker.addEventListener('push', (event) => {
  const pushed = /** @type {PushEvent} */ (event);
  pushed.waitUntil(show(read(pushed)));
});

worker.addEventListener('notificationclick', (event) => {
  const pressed = /** @type {PressEvent} */ (event);
  const { notification, action } = pressed;
  notification.close();
  const { details, acknowledge } = /** @type {Push} */ (notification.data);
  const url = action === 'acknowledge' ? acknowledge : details;
  // A worker of ours opens pages of ours.
  if (url !== null && /^https?:/.test(url)) pressed.waitUntil(worker.clients.openWindow(url));
});

/** A browser takes the right to push away from who shows nothing. @param {PushEvent} event @returns {Push} */
function read({ data }) {
  const nothing = {
    tone: /** @type {const} */ ('neutral'),
    tag: null,
    details: null,
    acknowledge: null,
  };
  try {
    return { ...nothing, .../** @type {Push} */ (data?.json()) };
  } catch {
    return { ...nothing, title: 'Tocsin', body: 'There is news that could not be read.' };
  }
}

/** @param {Push} push */
function show(push) {
  const { title, body, tone, tag, acknowledge } = push;
  return worker.registration.showNotification(title ?? 'Tocsin', {
    body,
    data: push,
    // What is new sounds, though it takes the place of what was there.
    ...(tag !== null && { tag, renotify: true }),
    requireInteraction: tone === 'critical',
    ...(acknowledge !== null && { actions: [{ action: 'acknowledge', title: 'Acknowledge' }] }),
  });
}
