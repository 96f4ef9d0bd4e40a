import { expect, test } from 'vitest';
import {
  channelDelivery,
  message,
  notice,
  recoveryDelivery,
  stormDelivery,
  trouble,
} from '../../../test/support/channel-deliveries.ts';
import { describeProvider, ENDLESS, tryChannel } from '../../../test/support/channel-trials.ts';
import { pagerduty } from './pagerduty.ts';

const KEY = 'e93facc04764012d7bfb002500d5d1a6';
const SETTINGS = { routing_key: KEY, region: null };
const { requestOf, outcomeAfter } = tryChannel(pagerduty, SETTINGS);
const european = tryChannel(pagerduty, { ...SETTINGS, region: 'eu' });
describeProvider(pagerduty, SETTINGS, [KEY]);

test('an alarm triggers an alert', async () => {
  const request = await requestOf(channelDelivery());
  expect(request.url).toBe('https://events.pagerduty.com/v2/enqueue');
  expect(request.json).toEqual({
    routing_key: KEY,
    event_action: 'trigger',
    dedup_key: 'tocsin-alert-5',
    client: 'Tocsin',
    client_url: 'https://up.example.com/alert?token=abc',
    payload: {
      summary: 'Shop is down since 08:02 UTC',
      timestamp: '2026-03-01T08:02:00.000Z',
      source: 'shop.example.com',
      severity: 'critical',
      class: 'uptime',
      group: 'Acme',
      custom_details: {
        Cause: 'HTTP 503',
        Regions: 'ash, nbg',
        Message: 'Shop is down since 08:02 UTC.\nCause: HTTP 503.',
      },
    },
    links: [
      { href: 'https://up.example.com/alert?token=abc', text: 'Details' },
      { href: 'https://up.example.com/alert?token=abc&acknowledge=1', text: 'Acknowledge' },
    ],
  });
});

test('its recovery resolves that alert', async () => {
  const { url, json } = await requestOf(recoveryDelivery());
  expect(url).toBe('https://events.pagerduty.com/v2/enqueue');
  expect(json).toEqual({
    routing_key: KEY,
    event_action: 'resolve',
    dedup_key: 'tocsin-alert-5',
  });
});

test('what is no incident is a change event, which calls nobody [34.23]', async () => {
  const trial = channelDelivery({
    action: 'inform',
    dedupKey: null,
    content: notice({ kind: 'test', severity: 'info', troubles: [] }),
    message: message({ subject: 'A test', lines: ['It works.'], facts: [] }),
  });
  const { url, json } = await requestOf(trial);
  expect(url).toBe('https://events.pagerduty.com/v2/change/enqueue');
  expect(json).toEqual({
    routing_key: KEY,
    payload: {
      summary: 'A test',
      timestamp: '2026-03-01T08:02:00.000Z',
      source: 'Acme',
      custom_details: { Message: 'It works.' },
    },
    links: expect.any(Array),
  });
});

test('an account in Europe has hosts of its own', async () => {
  const inform = channelDelivery({ action: 'inform' });
  expect((await european.requestOf(channelDelivery())).url).toBe(
    'https://events.eu.pagerduty.com/v2/enqueue',
  );
  expect((await european.requestOf(inform)).url).toBe(
    'https://events.eu.pagerduty.com/v2/change/enqueue',
  );
});

test('a storm is one alert of the team that lists its monitors', async () => {
  const { json } = await requestOf(stormDelivery(30));
  expect(json.payload).toMatchObject({ source: 'Acme', class: 'uptime' });
  const { Message, ...facts } = json.payload.custom_details;
  expect(Object.keys(facts)).toHaveLength(20);
  expect(Message.split('\n')).toHaveLength(10);
});

test('facts are not said twice', async () => {
  const facts = [{ name: 'Cause', value: 'HTTP 503' }];
  const said = message({ facts, lines: ['Cause: HTTP 503'] });
  const { json } = await requestOf(channelDelivery({ message: said }));
  expect(json.payload.custom_details).toEqual({ Cause: 'HTTP 503' });
});

test.each([
  ['a push monitor has only a name', trouble({ name: 'Backup', url: null }), 'Backup'],
  ['an address that is none', trouble({ url: 'icmp' }), 'Shop'],
])('the source: %s', async (_title, one, source) => {
  const { json } = await requestOf(channelDelivery({ content: notice({ troubles: [one] }) }));
  expect(json.payload.source).toBe(source);
});

test('a severity is passed on', async () => {
  const { json } = await requestOf(channelDelivery({ content: notice({ severity: 'warning' }) }));
  expect(json.payload.severity).toBe('warning');
});

test('texts that are too long are cut', async () => {
  const long = channelDelivery({ message: ENDLESS, dedupKey: 'k'.repeat(300) });
  const { json, bytes } = await requestOf(long);
  expect(json.payload.summary.length).toBeLessThanOrEqual(1_024);
  expect(json.dedup_key.length).toBeLessThanOrEqual(255);
  expect(bytes.length).toBeLessThan(512 * 1_024);
});

test('202 is success, 400 a refusal in its own words', async () => {
  expect(await outcomeAfter({ status: 202, body: '{"status":"success"}' })).toEqual({
    outcome: 'delivered',
    statusCode: 202,
  });
  const body = JSON.stringify({
    status: 'invalid event',
    message: 'Event object is invalid',
    errors: ["Length of 'routing_key' is incorrect (should be 32 characters)"],
  });
  expect(await outcomeAfter({ status: 400, body })).toEqual({
    outcome: 'refused',
    statusCode: 400,
    reason:
      "PagerDuty answered HTTP 400: Event object is invalid; Length of 'routing_key' is incorrect (should be 32 characters).",
  });
});
