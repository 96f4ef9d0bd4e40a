import { expect, test } from 'vitest';
import {
  channelDelivery,
  message,
  recoveryDelivery,
  stormDelivery,
} from '../../../test/support/channel-deliveries.ts';
import { tryChannel } from '../../../test/support/channel-trials.ts';
import { gotify } from './gotify.ts';

const SETTINGS = { server_url: 'https://push.example.com', token: 'AKsjdf83hfVbx2P' };

const { provider, send } = tryChannel(gotify, SETTINGS);

const lastBody = () => JSON.parse(provider.requests.at(-1)!.body);

test('an alarm is a plain message of its application', async () => {
  expect(await send()).toEqual({ outcome: 'delivered', statusCode: 200 });
  const [request] = provider.requests;
  expect(request).toMatchObject({ method: 'POST', url: 'https://push.example.com/message' });
  expect(request!.headers).toMatchObject({
    'x-gotify-key': 'AKsjdf83hfVbx2P',
    'content-type': 'application/json',
  });
  expect(lastBody()).toEqual({
    title: 'Shop is down since 08:02 UTC',
    message:
      'Shop is down since 08:02 UTC.\nCause: HTTP 503.\n\nDetails: https://up.example.com/alert?token=abc\n\nAcknowledge: https://up.example.com/alert?token=abc&acknowledge=1',
    priority: 9,
    extras: {
      'client::display': { contentType: 'text/plain' },
      'client::notification': { click: { url: 'https://up.example.com/alert?token=abc' } },
    },
  });
});

test('a recovery is less urgent and has nothing to acknowledge', async () => {
  await send(recoveryDelivery());
  expect(lastBody()).toMatchObject({
    message:
      'Shop is up again.\nIt was down for 9 minutes.\n\nDetails: https://up.example.com/alert?token=abc',
    priority: 5,
  });
});

test.each([
  ['https://push.example.com/', 'https://push.example.com/message'],
  ['https://example.com/gotify', 'https://example.com/gotify/message'],
  ['https://example.com:8443/gotify//?a=b#c', 'https://example.com:8443/gotify/message'],
])('the server %s is asked at %s', async (server, url) => {
  await send(undefined, { server_url: server });
  expect(provider.requests[0]!.url).toBe(url);
});

test('a storm keeps its acknowledge link, however long it is', async () => {
  await send(stormDelivery(2_000));
  const text = lastBody().message as string;
  expect(text.length).toBeLessThan(9_000);
  expect(text).toMatch(/ more.*\n\nDetails: https:\/\/\S+\n\nAcknowledge: https:\/\/\S+$/);
});

test('a message without links has none', async () => {
  const links = { details: null, acknowledge: null };
  await send(channelDelivery({ message: message({ links }) }));
  expect(lastBody().extras).toEqual({ 'client::display': { contentType: 'text/plain' } });
});

test.each([
  [401, 'refused', 'Gotify answered HTTP 401: the application token is not valid.'],
  [
    403,
    'refused',
    'Gotify answered HTTP 403: this token may not send messages: take that of an application.',
  ],
  [404, 'refused', 'Gotify answered HTTP 404: there is no Gotify server at this address.'],
  [500, 'failed', 'Gotify answered HTTP 500.'],
])('HTTP %i: %s', async (status, outcome, reason) => {
  provider.answer({ status, body: '{"errorDescription":"AKsjdf83hfVbx2P"}' });
  expect(await send()).toMatchObject({ outcome, reason });
});
