/**
 * The one outbox: everything that leaves for webhook endpoints, channels and the mailboxes of people. What is enqueued is a
 * delivery, in the transaction that asks for it, and waits in the queue of its destination. `worker.ts` claims
 * destinations that are due with a lease (`leases.ts`) as far as there are slots (`slots.ts`), and hands each to the sender
 * of its kind: `endpoint-sender.ts` keeps up to 16 requests in flight and the order per monitor, `channel-sender.ts` sends one
 * message after another and catches up after a gap, `mail-sender.ts` sends the one mail of its destination. An attempt is
 * recorded after it was made; `retry.ts` decides what it means.
 */
export { contactOf, createVapid } from './vapid.ts';
export { sendWebhook, signatureHeaders } from './webhook.ts';
export type { WebhookTarget } from './webhook.ts';
export { createDeliveryWorker } from './worker.ts';
export type { DeliveryWorker } from './worker.ts';
