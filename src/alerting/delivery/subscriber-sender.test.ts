import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { giveTeam, secretBox } from '../../../test/support/deliveries.ts';
import { workerOn } from '../../../test/support/delivery-worker.ts';
import { waitUntil } from '../../../test/support/event-loop.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { startProvider, type Provider } from '../../../test/support/provider.ts';
import { rowOf } from '../../../test/support/rows.ts';
import { insertPage } from '../../../test/support/status-pages.ts';
import { giveSubscriber } from '../../../test/support/subscribers.ts';
import { newSigningSecret } from '../../lib/signing-secret.ts';
import { countRows } from '../../store/database/rows.ts';
import { systemClock } from '../../lib/clock.ts';
import { destinationStore } from '../../store/alerting/destinations.ts';
import type { SubscriberKind } from '../../model/outgoing.ts';

let provider: Provider;
beforeEach(async () => void (provider = await startProvider()));
afterEach(() => provider.close());

// It has no types.
const EXAMPLE = new URL('../../../examples/webhook.mjs', import.meta.url).href;

const URL_OF: Record<string, string> = {
  webhook: 'https://hooks.example.com/in?key=s3cret',
  slack: 'https://hooks.slack.com/services/T0/B0/s3cret',
};

/** Sends one message to a subscriber over a real connection. @returns the subscriber afterwards. */
async function send(
  kind: SubscriberKind,
  body: string,
  secret: string | null = null,
  messageKind = 'status_update',
  draft = 0,
) {
  const database = await openInMemory();
  const teamId = await giveTeam(database);
  const pageId = await insertPage(database, { team_id: teamId, slug: 'harbour', draft });
  const signing_secret =
    secret === null ? null : secretBox.of('subscriber', pageId).seal(secret, 'signing_secret');
  const id = await giveSubscriber(database, { teamId, pageId }, URL_OF[kind]!, {
    kind,
    signing_secret,
    ...(messageKind !== 'status_update' && { confirmed_at: null, confirm_until: 1 }),
  });
  const { destination_id: destinationId } = await rowOf(database, 'subscriber', { id });
  const message = {
    destinationId: destinationId!,
    teamId,
    messageId: 'msg_update_1_1',
    kind: messageKind,
    eventType: 'announcement.updated',
    incidentId: null,
    alertId: null,
    body,
  };
  await database.transaction((tx) => destinationStore(tx).enqueue([message], systemClock.now()));
  const worker = workerOn(database, { http: provider.http, clock: systemClock });
  worker.start();
  const handled = () => Object.values(worker.subscribers).some((count) => count > 0);
  const waiting = () => countRows(database.read.selectFrom('delivery'));
  if (draft === 1) await expect.poll(waiting).toBe(0);
  else await waitUntil(handled);
  await worker.stop();
  const {
    ended_reason: endedReason,
    confirmed_at: confirmedAt,
    refusals,
  } = await rowOf(database, 'subscriber', { id });
  const { last_error: lastError } = await rowOf(database, 'destination', { id: destinationId! });
  await database.close();
  return {
    endedReason,
    isConfirmed: confirmedAt !== null,
    refusals,
    lastError,
    counters: worker.subscribers,
  };
}

test('a webhook arrives byte for byte, and its signature is verified by the library and by the example [44.20]', async () => {
  const secret = newSigningSecret();
  const body = '{"announcement":{"title":"Zahlungen schlagen fehl – 支払い"}}';
  expect(await send('webhook', body, secret)).toMatchObject({
    endedReason: null,
    counters: { delivered: 1 },
  });
  const [request] = provider.requests;
  expect(provider.requests).toHaveLength(1);
  expect(request).toMatchObject({
    method: 'POST',
    url: URL_OF['webhook'],
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Tocsin/1.2.3',
      'webhook-id': 'msg_update_1_1',
    },
  });
  expect(request!.bytes).toEqual(Buffer.from(body));
  const { isFromTocsin } = await import(EXAMPLE);
  const headers = request!.headers as Record<string, string>;
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(isFromTocsin(headers, request!.bytes, secret)).toBe(true);
  expect(isFromTocsin(headers, Buffer.from(`${body} `), secret)).toBe(false);
});

test.each<[string, string, boolean]>([
  ['with the challenge', 'challenge: 7dK-token-of-the-link', true],
  ['with something else', 'ok', false],
  ['with a part of it', '7dK-token', false],
])('a webhook that answers %s is confirmed: %s [44.30]', async (_what, answer, isConfirmed) => {
  provider.answer({ status: 200, body: answer });
  const body = JSON.stringify({ challenge: '7dK-token-of-the-link' });
  expect(await send('webhook', body, null, 'subscription.confirm')).toMatchObject({
    isConfirmed,
    counters: { delivered: 1 },
  });
});

test('messages of a team to one host leave ten at once, and the others wait unattempted [44.31]', async () => {
  const database = await openInMemory();
  const teamId = await giveTeam(database);
  const pageId = await insertPage(database, { team_id: teamId, slug: 'harbour' });
  const now = systemClock.now();
  for (let index = 0; index < 30; index += 1) {
    const url = `https://Hooks.example.com:8443/${index}`;
    const id = await giveSubscriber(database, { teamId, pageId }, url, { kind: 'webhook' });
    const { destination_id } = await rowOf(database, 'subscriber', { id });
    const ids = { incidentId: null, alertId: null, teamId, destinationId: destination_id! };
    const message = { ...ids, messageId: `m${index}`, kind: 'status_update', body: '{}' };
    await database.transaction((tx) =>
      destinationStore(tx).enqueue([{ ...message, eventType: null }], now),
    );
  }
  const worker = workerOn(database, { http: provider.http, clock: systemClock });
  worker.start();
  const waiting = () =>
    database.read
      .selectFrom('delivery')
      .select('id')
      .where('attempts', '=', 0)
      .where('next_at', '>', now + 1)
      .execute();
  await vi.waitFor(async () => expect(await waiting()).not.toEqual([]), { timeout: 20_000 });
  await worker.stop();
  expect(worker.subscribers.postponed).toBe(0);
  await database.close();
});

test('what waits of a page that has become a draft is dropped [41.27]', async () => {
  const { counters, endedReason } = await send('webhook', '{}', null, 'status_update', 1);
  expect([provider.requests, counters, endedReason]).toEqual([
    [],
    { delivered: 0, postponed: 0, failed: 0, ended: 0 },
    null,
  ]);
});

test('a message to Slack has no signature', async () => {
  await send('slack', '{"text":"Payments fail"}');
  expect(provider.requests[0]).toMatchObject({ url: URL_OF['slack'], method: 'POST' });
  expect(provider.requests[0]!.headers).not.toHaveProperty('webhook-signature');
});

test.each<[SubscriberKind, number, string, 'gone' | 'refused' | 'later']>([
  ['webhook', 410, 'Gone', 'gone'],
  ['slack', 404, 'channel_is_archived', 'gone'],
  ['slack', 404, 'no_service\n', 'gone'],
  ['slack', 403, 'action_prohibited', 'refused'],
  ['slack', 500, 'no_service', 'later'],
  ['webhook', 404, 'no_service', 'refused'],
  ['webhook', 302, '', 'refused'],
  ['webhook', 503, '', 'later'],
])('%s that answers %d with %j: %s [44.22, 44.23]', async (kind, status, body, outcome) => {
  provider.answer({ status, body, headers: { Location: 'http://169.254.169.254/' } });
  const after = await send(kind, '{}');
  expect(provider.requests).toHaveLength(1);
  expect(after.endedReason !== null).toBe(outcome === 'gone');
  expect(after.refusals).toBe(outcome === 'refused' ? 1 : 0);
  expect(after.counters.postponed).toBe(outcome === 'later' ? 1 : 0);
  expect(after.lastError).not.toContain('s3cret');
});
