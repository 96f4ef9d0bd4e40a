import { expect, test } from 'vitest';
import {
  channelDelivery,
  notice,
  recoveryDelivery,
  stormDelivery,
} from '../../../test/support/channel-deliveries.ts';
import { describeProvider, ENDLESS, tryChannel } from '../../../test/support/channel-trials.ts';
import { opsgenie } from './opsgenie.ts';

const KEY = 'eb243592-faa2-4ba2-a551-1afdf565c889';
const SETTINGS = { api_key: KEY, region: null };
const { requestOf, outcomeAfter, provider, send } = tryChannel(opsgenie, SETTINGS);
const european = tryChannel(opsgenie, { ...SETTINGS, region: 'eu' });
const jira = tryChannel(opsgenie, { ...SETTINGS, region: 'jira' });
describeProvider(opsgenie, SETTINGS, [KEY]);

test('an alarm creates an alert', async () => {
  const request = await requestOf(channelDelivery());
  expect(request).toMatchObject({
    method: 'POST',
    url: 'https://api.opsgenie.com/v2/alerts',
    headers: { 'content-type': 'application/json', authorization: `GenieKey ${KEY}` },
  });
  expect(request.json).toEqual({
    message: 'Shop is down since 08:02 UTC',
    alias: 'tocsin-alert-5',
    description:
      'Shop is down since 08:02 UTC.\nCause: HTTP 503.\n\nDetails: https://up.example.com/alert?token=abc\nAcknowledge: https://up.example.com/alert?token=abc&acknowledge=1',
    details: { Cause: 'HTTP 503', Regions: 'ash, nbg' },
    source: 'Tocsin',
    priority: 'P1',
  });
});

test('its recovery closes that alert', async () => {
  const { url, headers, json } = await requestOf(recoveryDelivery());
  expect(url).toBe('https://api.opsgenie.com/v2/alerts/tocsin-alert-5/close?identifierType=alias');
  expect(headers.authorization).toBe(`GenieKey ${KEY}`);
  expect(json).toEqual({
    source: 'Tocsin',
    note: 'Shop is up again after 9 minutes\nShop is up again.\nIt was down for 9 minutes.',
  });
});

test('an alert that is not there needs no closing', async () => {
  provider.answer({ status: 404, body: '{"message":"Alert does not exist"}' });
  expect(await send(recoveryDelivery())).toEqual({ outcome: 'delivered', statusCode: 404 });
  expect(await outcomeAfter({ status: 404 })).toMatchObject({ outcome: 'refused' });
});

test('what is no incident has the lowest priority and an alias of its own', async () => {
  const { json } = await requestOf(channelDelivery({ action: 'inform', dedupKey: null }));
  expect(json).toMatchObject({ priority: 'P5', alias: 'msg_1f0e' });
});

test.each([
  ['critical', 'P1'],
  ['warning', 'P3'],
  ['info', 'P5'],
] as const)('%s is %s', async (severity, priority) => {
  const { json } = await requestOf(channelDelivery({ content: notice({ severity }) }));
  expect(json.priority).toBe(priority);
});

test('accounts in Europe, and Jira Service Management, have hosts of their own', async () => {
  expect((await european.requestOf(channelDelivery())).url).toBe(
    'https://api.eu.opsgenie.com/v2/alerts',
  );
  expect((await jira.requestOf(recoveryDelivery())).url).toBe(
    'https://api.atlassian.com/jsm/ops/integration/v2/alerts/tocsin-alert-5/close?identifierType=alias',
  );
});

test('an alias is one part of the path', async () => {
  const { url } = await requestOf(recoveryDelivery({ dedupKey: 'a/b?c' }));
  expect(url).toContain('/v2/alerts/a%2Fb%3Fc/close?');
});

test('a storm lists its monitors', async () => {
  const { json } = await requestOf(stormDelivery(50));
  expect(json.description).toContain('\nShop 50: HTTP 503\n');
});

test('texts that are too long are cut', async () => {
  const { json } = await requestOf(channelDelivery({ message: ENDLESS }));
  expect(json.message.length).toBeLessThanOrEqual(130);
  expect(json.description.length).toBeLessThanOrEqual(15_000);
  const details = Object.entries(json.details as Record<string, string>);
  expect(details.flat().join('').length).toBeLessThanOrEqual(8_000);
  const closing = await requestOf(recoveryDelivery({ message: ENDLESS }));
  expect(closing.json.note.length).toBeLessThanOrEqual(25_000);
});

test('202 is success, a wrong key a refusal in its own words', async () => {
  const taken = '{"result":"Request will be processed","took":0.3,"requestId":"43a2"}';
  expect(await outcomeAfter({ status: 202, body: taken })).toEqual({
    outcome: 'delivered',
    statusCode: 202,
  });
  const body = '{"message":"Could not authenticate","took":0.001,"requestId":"43a3"}';
  expect(await outcomeAfter({ status: 401, body })).toEqual({
    outcome: 'refused',
    statusCode: 401,
    reason: 'Opsgenie answered HTTP 401: Could not authenticate.',
  });
});
