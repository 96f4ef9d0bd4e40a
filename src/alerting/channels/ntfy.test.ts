import { expect, test } from 'vitest';
import {
  channelDelivery,
  message,
  recoveryDelivery,
  stormDelivery,
} from '../../../test/support/channel-deliveries.ts';
import { tryChannel } from '../../../test/support/channel-trials.ts';
import { ntfy } from './ntfy.ts';

const SETTINGS = { server_url: null, topic: 'tocsin-x7Qm2Lr9', token: null };

const { provider, send } = tryChannel(ntfy, SETTINGS);

const lastBody = () => JSON.parse(provider.requests.at(-1)!.body);

test('an alarm is published as JSON to the root of the public server', async () => {
  expect(await send()).toEqual({ outcome: 'delivered', statusCode: 200 });
  const [request] = provider.requests;
  expect(request).toMatchObject({ method: 'POST', url: 'https://ntfy.sh' });
  expect(request!.headers['authorization']).toBeUndefined();
  expect(lastBody()).toEqual({
    topic: 'tocsin-x7Qm2Lr9',
    title: 'Shop is down since 08:02 UTC',
    message: 'Shop is down since 08:02 UTC.\nCause: HTTP 503.',
    priority: 5,
    tags: ['rotating_light'],
    click: 'https://up.example.com/alert?token=abc',
    actions: [
      {
        action: 'view',
        label: 'Acknowledge',
        url: 'https://up.example.com/alert?token=abc&acknowledge=1',
      },
    ],
  });
});

test('an own server gets its token, and a recovery has nothing to acknowledge', async () => {
  await send(recoveryDelivery(), { server_url: 'https://push.example.com', token: 'tk_1' });
  const [request] = provider.requests;
  expect(request!.url).toBe('https://push.example.com');
  expect(request!.headers['authorization']).toBe('Bearer tk_1');
  expect(lastBody()).toMatchObject({ priority: 3, tags: ['white_check_mark'] });
  expect(lastBody()).not.toHaveProperty('actions');
});

test.each([
  ['critical', 5],
  ['warning', 4],
  ['good', 3],
  ['neutral', 3],
] as const)('what is %s has priority %i', async (tone, priority) => {
  await send(channelDelivery({ message: message({ tone }) }));
  expect(lastBody().priority).toBe(priority);
});

test('a long message stays a message: at most 4,096 bytes', async () => {
  await send(stormDelivery(50, { message: message({ lines: ['ü'.repeat(5_000)] }) }));
  const text = lastBody().message as string;
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_096);
  expect(text.endsWith('ü…')).toBe(true);
});

test.each([
  [401, 'refused', 'ntfy answered HTTP 401: the token is not valid.'],
  [
    403,
    'refused',
    'ntfy answered HTTP 403: the topic is protected, and this token may not write to it.',
  ],
  [404, 'refused', 'ntfy answered HTTP 404: there is no ntfy server at this address.'],
  [429, 'failed', 'ntfy answered HTTP 429.'],
  [507, 'failed', 'ntfy answered HTTP 507.'],
])('HTTP %i: %s', async (status, outcome, reason) => {
  provider.answer({ status, body: '{"code":1,"error":"tk_1 at tocsin-x7Qm2Lr9"}' });
  expect(await send(undefined, { token: 'tk_1' })).toMatchObject({ outcome, reason });
});

test('it says how long to wait', async () => {
  provider.answer({ status: 429, headers: { 'Retry-After': '30' } });
  expect(await send()).toMatchObject({ outcome: 'failed', retryAfterMs: 30_000 });
});
