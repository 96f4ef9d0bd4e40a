import { expect, test } from 'vitest';
import {
  channelDelivery,
  message,
  NOTICED_AT,
  recoveryDelivery,
  stormDelivery,
} from '../../../test/support/channel-deliveries.ts';
import { tryChannel } from '../../../test/support/channel-trials.ts';
import { pushover } from './pushover.ts';

const SETTINGS = {
  token: 'azGDORePK8gMaC0QOYAMyEEuzJnyUi',
  user: 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG',
  emergency_retry: null,
  emergency_expire: null,
};

const { provider, send } = tryChannel(pushover, SETTINGS);

const formOf = (index: number) =>
  Object.fromEntries(new URLSearchParams(provider.requests[index]!.body));

test('an alarm is a form with its link', async () => {
  provider.answer({ status: 200, body: '{"status":1,"request":"647d2300"}' });
  expect(await send()).toEqual({ outcome: 'delivered', statusCode: 200 });
  expect(provider.requests[0]).toMatchObject({
    method: 'POST',
    url: 'https://api.pushover.net/1/messages.json',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(formOf(0)).toEqual({
    token: SETTINGS.token,
    user: SETTINGS.user,
    title: 'Shop is down since 08:02 UTC',
    message: 'Shop is down since 08:02 UTC.\nCause: HTTP 503.',
    priority: '1',
    url: 'https://up.example.com/alert?token=abc&acknowledge=1',
    url_title: 'Acknowledge',
  });
});

test('a recovery links to its details, at the normal priority', async () => {
  await send(recoveryDelivery());
  expect(formOf(0)).toMatchObject({
    priority: '0',
    url: 'https://up.example.com/alert?token=abc',
    url_title: 'Details',
  });
  expect(provider.requests).toHaveLength(1);
});

test('an emergency sounds until somebody confirms it, or it is over [34.24]', async () => {
  const settings = { emergency_retry: 60 };
  await send(channelDelivery(), settings);
  expect(formOf(0)).toMatchObject({
    priority: '2',
    retry: '60',
    expire: '3600',
    tags: 'tocsin-alert-5',
  });
  await send(channelDelivery(), { ...settings, emergency_expire: 600 });
  expect(formOf(1)).toMatchObject({ expire: '600' });

  expect(await send(recoveryDelivery(), settings)).toMatchObject({ outcome: 'delivered' });
  expect(formOf(2)).toMatchObject({ priority: '0' });
  expect(provider.requests[3]!.url).toBe(
    'https://api.pushover.net/1/receipts/cancel_by_tag/tocsin-alert-5.json',
  );
  expect(formOf(3)).toEqual({ token: SETTINGS.token });
});

test('a recovery is delivered even where the emergency cannot be ended', async () => {
  provider.answer({ status: 200 }, { status: 404 });
  const outcome = await send(recoveryDelivery(), { emergency_retry: 60 });
  expect(outcome).toEqual({ outcome: 'delivered', statusCode: 200 });
});

test('a warning is no emergency', async () => {
  const warning = channelDelivery({ message: message({ tone: 'warning' }) });
  await send(warning, { emergency_retry: 60 });
  expect(formOf(0)).toMatchObject({ priority: '0' });
  expect(formOf(0)).not.toHaveProperty('retry');
});

test('texts are as long as it takes them, and a link that is too long is left out', async () => {
  const details = `https://up.example.com/${'a'.repeat(500)}`;
  const links = { details, acknowledge: null };
  const long = message({ subject: 's'.repeat(300), lines: ['l'.repeat(2_000)], links });
  await send(stormDelivery(50, { message: long }));
  const form = formOf(0);
  expect(form['title']).toHaveLength(250);
  expect(form['message']).toMatch(/^l{900,}…/);
  expect(form['message']!.length).toBeLessThanOrEqual(1_024);
  expect(form).not.toHaveProperty('url');
});

test('a message without lines says its subject', async () => {
  await send(channelDelivery({ message: message({ lines: [] }) }));
  expect(formOf(0)['message']).toBe('Shop is down since 08:02 UTC');
});

test('what it does not take is refused in its words, without the keys', async () => {
  const errors = ['user identifier is not a valid user', `token ${SETTINGS.token} is invalid`];
  provider.answer({ status: 400, body: JSON.stringify({ status: 0, errors, request: '5042' }) });
  expect(await send()).toEqual({
    outcome: 'refused',
    statusCode: 400,
    reason:
      'Pushover answered HTTP 400: user identifier is not a valid user, token ••• is invalid.',
  });
});

test.each([
  ['next month', { 'X-Limit-App-Reset': String(NOTICED_AT / 1_000 + 90 * 86_400) }, 3_600_000],
  ['in ten minutes', { 'X-Limit-App-Reset': String(NOTICED_AT / 1_000 + 600) }, 600_000],
  ['unknown', {}, null],
])('the limit of a month ends: %s', async (_when, headers: Record<string, string>, wait) => {
  provider.answer({ status: 429, headers, body: '{"status":0,"errors":["limit reached"]}' });
  expect(await send()).toEqual({
    outcome: 'failed',
    statusCode: 429,
    reason: 'Pushover answered HTTP 429: limit reached.',
    retryAfterMs: wait,
  });
});

test('after an error of its own it is left alone for 5 seconds', async () => {
  provider.answer({ status: 500, body: 'no JSON' });
  expect(await send()).toMatchObject({ outcome: 'failed', retryAfterMs: 5_000 });
  provider.answer({ status: 503, headers: { 'Retry-After': '20' } });
  expect(await send()).toMatchObject({ outcome: 'failed', retryAfterMs: 20_000 });
});
