/**
 * Shows Web Push messages (alerting/channels/web-push.ts) as notifications, also when no page is open. It caches nothing.
 * A classic script, since Firefox does not support module service workers.
 */

/**
 * @typedef {object} Push
 * @property {string} title
 * @property {string} body
 * @property {'critical' | 'warning' | 'good' | 'neutral'} tone
 * @property {string | null} tag of the alert: its next message replaces this one
 * @property {string | null} details
 * @property {string | null} acknowledge
 */

/** Worker types missing from the `dom` library. @typedef {Event & { waitUntil(work: Promise<unknown>): void }} Lasting */
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
  // Opens web pages only.
  if (url !== null && /^https?:/.test(url)) pressed.waitUntil(worker.clients.openWindow(url));
});

/** Reads a push; browsers revoke the permission unless each push shows a notification. @param {PushEvent} event @returns {Push} */
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
    return { ...nothing, title: 'Tocsin', body: 'A message could not be read.' };
  }
}

/** @param {Push} push */
function show(push) {
  const { title, body, tone, tag, acknowledge } = push;
  return worker.registration.showNotification(title ?? 'Tocsin', {
    body,
    data: push,
    // A replacement notifies again.
    ...(tag !== null && { tag, renotify: true }),
    requireInteraction: tone === 'critical',
    ...(acknowledge !== null && { actions: [{ action: 'acknowledge', title: 'Acknowledge' }] }),
  });
}
