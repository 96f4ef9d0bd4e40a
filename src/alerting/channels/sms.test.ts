import { expect, test } from 'vitest';
import {
  channelDelivery,
  message,
  recoveryDelivery,
} from '../../../test/support/channel-deliveries.ts';
import { tryChannel } from '../../../test/support/channel-trials.ts';
import { sms } from './sms.ts';

const SETTINGS = {
  to: '+15558675310',
  from: '+15017122661',
  account_sid: 'AC0123456789abcdef0123456789abcdef',
  auth_token: 's3cret-of-the-account',
  api_key_sid: null,
  api_url: null,
};

const { provider, send } = tryChannel(sms, SETTINGS);

const lastForm = () => Object.fromEntries(new URLSearchParams(provider.requests.at(-1)!.body));
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

test('an alarm is a short text with the link that acknowledges it [34.25]', async () => {
  provider.answer({ status: 201, body: '{"sid":"SM1","status":"queued"}' });
  expect(await send()).toEqual({ outcome: 'delivered', statusCode: 201 });
  const [request] = provider.requests;
  expect(request).toMatchObject({
    method: 'POST',
    url: `https://api.twilio.com/2010-04-01/Accounts/${SETTINGS.account_sid}/Messages.json`,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: basic(`${SETTINGS.account_sid}:s3cret-of-the-account`),
    },
  });
  expect(lastForm()).toEqual({
    To: '+15558675310',
    From: '+15017122661',
    Body: 'Shop is down since 08:02 UTC: HTTP 503 https://up.example.com/alert?token=abc&acknowledge=1',
  });
});

test('a link that makes two messages out of one too many is left out', async () => {
  const links = { details: null, acknowledge: `https://up.example.com/${'a'.repeat(300)}` };
  await send(channelDelivery({ message: message({ links }) }));
  expect(lastForm()['Body']).toBe('Shop is down since 08:02 UTC: HTTP 503');
  await send(recoveryDelivery());
  expect(lastForm()['Body']).toBe('Shop is up again after 9 minutes');
});

test('signs that would make a text of another alphabet are written with plain ones', async () => {
  const short = '“Shop” is down since 08:02 UTC−3: it’s gone – forever…';
  const links = { details: null, acknowledge: null };
  await send(channelDelivery({ message: message({ short, links }) }));
  expect(lastForm()['Body']).toBe('"Shop" is down since 08:02 UTC-3: it\'s gone - forever...');
});

test('a messaging service, an API key and another service with the same API', async () => {
  await send(undefined, {
    from: 'MG0123456789abcdef0123456789abcdef',
    api_key_sid: 'SK1',
    api_url: 'https://example.signalwire.com/api/laml/',
  });
  const [request] = provider.requests;
  expect(request!.url).toBe(
    `https://example.signalwire.com/api/laml/2010-04-01/Accounts/${SETTINGS.account_sid}/Messages.json`,
  );
  expect(request!.headers['authorization']).toBe(basic('SK1:s3cret-of-the-account'));
  expect(lastForm()).toMatchObject({ MessagingServiceSid: 'MG0123456789abcdef0123456789abcdef' });
  expect(lastForm()).not.toHaveProperty('From');
});

test.each([
  [400, 21211, 'the recipient is no valid phone number.'],
  [400, 21610, 'the recipient answered STOP: only an answer of START allows messages again.'],
  [401, 20003, 'the account and its token do not fit together.'],
  [400, 99999, 'No, ••• for •••.'],
])('HTTP %i with error %i is refused: %s', async (status, code, words) => {
  const text = 'No, s3cret-of-the-account for +15558675310.';
  provider.answer({ status, body: JSON.stringify({ code, message: text, status }) });
  expect(await send()).toEqual({
    outcome: 'refused',
    statusCode: status,
    reason: `The SMS service answered HTTP ${status}: ${words}`,
  });
});

test('too many requests are made again later, whichever status says so', async () => {
  provider.answer({ status: 429, headers: { 'Retry-After': '3' }, body: '{"code":20429}' });
  expect(await send()).toMatchObject({ outcome: 'failed', retryAfterMs: 3_000 });
  provider.answer({ status: 400, body: '{"code":20429}' });
  expect(await send()).toMatchObject({ outcome: 'failed', statusCode: 400 });
  provider.answer({ status: 503, body: '<html>' });
  expect(await send()).toMatchObject({ outcome: 'failed', statusCode: 503 });
});

const fieldPattern = (name: string) => {
  const field = sms.fields[name]!;
  return field.kind === 'text' ? field.pattern! : /$^/;
};

test.each([
  ['to', '+15558675310', true],
  ['to', '15558675310', false],
  ['to', '+0155586753', false],
  ['to', '+1 555 867', false],
  ['from', '+15017122661', true],
  ['from', '12345', true],
  ['from', 'Tocsin Ops', true],
  ['from', 'MG0123456789abcdef0123456789abcdef', true],
  ['from', 'A name that is long', false],
  ['from', '   ', false],
  ['account_sid', 'AC1/../..', false],
])('%s %j: %s', (name, value, isFine) => {
  expect(fieldPattern(name).test(value)).toBe(isFine);
});
