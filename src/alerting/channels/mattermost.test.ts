import { expect, test } from 'vitest';
import {
  channelDelivery,
  message,
  recoveryDelivery,
  stormDelivery,
} from '../../../test/support/channel-deliveries.ts';
import {
  describeProvider,
  ENDLESS,
  MARKED_UP,
  tryChannel,
} from '../../../test/support/channel-trials.ts';
import { mattermost } from './mattermost.ts';

const KEY = '9zxn5ymqzty6jrc6kjqd8xk4mh';
const SETTINGS = { webhook_url: `https://mattermost.example.com/hooks/${KEY}` };
const { requestOf, outcomeAfter } = tryChannel(mattermost, SETTINGS);
describeProvider(mattermost, SETTINGS, [KEY]);

test('an alarm is a headline and an attachment with its lines and links', async () => {
  const request = await requestOf(channelDelivery());
  expect(request.url).toBe(SETTINGS.webhook_url);
  expect(request.json).toEqual({
    text: '🔴 **Shop is down since 08:02 UTC**',
    attachments: [
      {
        fallback: 'Shop is down since 08:02 UTC: HTTP 503',
        color: '#de1837',
        text: 'Cause: HTTP 503.\n\n[Details](https://up.example.com/alert?token=abc) · [Acknowledge](https://up.example.com/alert?token=abc&acknowledge=1)',
      },
    ],
  });
});

test('a recovery is green and has nothing to acknowledge', async () => {
  const { json } = await requestOf(recoveryDelivery());
  expect(json.attachments[0].color).toBe('#05a579');
  expect(json.attachments[0].text).not.toContain('Acknowledge');
});

test('a message without lines and links has no attachment', async () => {
  const bare = message({ lines: [], links: { details: null, acknowledge: null } });
  const { json } = await requestOf(channelDelivery({ message: bare }));
  expect(json).toEqual({ text: '🔴 **Shop is down since 08:02 UTC**' });
});

test('a storm and texts that are too long stay below what a post may hold', async () => {
  const { json } = await requestOf(stormDelivery(500));
  expect(json.attachments[0].text).toMatch(/\n… and \d+ more lines\n\n\[Details\]/);
  const { json: endless } = await requestOf(channelDelivery({ message: ENDLESS }));
  for (const body of [json, endless]) {
    expect(body.text.length).toBeLessThanOrEqual(16_383);
    expect(JSON.stringify(body.attachments).length).toBeLessThanOrEqual(8_000);
  }
});

test('nobody is mentioned, and nothing in a name is mark-up', async () => {
  const { json } = await requestOf(channelDelivery({ message: MARKED_UP }));
  const texts = [json.text, json.attachments[0].text, json.attachments[0].fallback].join('\n');
  expect(texts).not.toMatch(/@\w|[<>]/);
  expect(json.text).toContain(String.raw`\*bold\* &lt;b&gt;shop`);
  expect(json.attachments[0].text).toContain('https://shop.example.com/a_b_c?d=1&e=2');
});

test('a webhook that was deleted is gone', async () => {
  const body = JSON.stringify({
    id: 'web.incoming_webhook.invalid.app_error',
    message: 'Invalid webhook.',
    detailed_error: '',
    status_code: 400,
  });
  expect(await outcomeAfter({ status: 400, body })).toEqual({
    outcome: 'gone',
    statusCode: 400,
    reason:
      'Mattermost answered HTTP 400: Invalid webhook. Make a new incoming webhook in Mattermost, and enter its address.',
  });
});

test('another error is a refusal', async () => {
  const body = '{"id":"web.incoming_webhook.channel_locked.app_error","message":"Locked."}';
  expect(await outcomeAfter({ status: 403, body })).toMatchObject({
    outcome: 'refused',
    reason: 'Mattermost answered HTTP 403: Locked.',
  });
});
