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
import { discord } from './discord.ts';

const TOKEN = '3d89bb7572e0fb30d8128367b3b1b44fecd1726de135cbe2';
const SETTINGS = {
  webhook_url: `https://discord.com/api/webhooks/223704706495545344/${TOKEN}?thread_id=7`,
};
const { requestOf, outcomeAfter } = tryChannel(discord, SETTINGS);
describeProvider(discord, SETTINGS, [TOKEN]);

test('an alarm is a headline and an embed with its lines and links', async () => {
  const request = await requestOf(channelDelivery());
  expect(request.url).toBe(
    `https://discord.com/api/webhooks/223704706495545344/${TOKEN}?thread_id=7&wait=true`,
  );
  expect(request.json).toEqual({
    content: '🔴 **Shop is down since 08:02 UTC**',
    embeds: [
      {
        description:
          'Cause: HTTP 503.\n\n[Details](https://up.example.com/alert?token=abc) · [Acknowledge](https://up.example.com/alert?token=abc&acknowledge=1)',
        color: 0xde1837,
        timestamp: '2026-03-01T08:02:00.000Z',
      },
    ],
    allowed_mentions: { parse: [] },
  });
});

test('a recovery is green and has nothing to acknowledge', async () => {
  const { json } = await requestOf(recoveryDelivery());
  expect(json.content).toBe('🟢 **Shop is up again after 9 minutes**');
  expect(json.embeds[0].color).toBe(0x05a579);
  expect(json.embeds[0].description).not.toContain('Acknowledge');
});

test('a message without lines and links has no embed', async () => {
  const bare = message({ lines: [], links: { details: null, acknowledge: null } });
  expect((await requestOf(channelDelivery({ message: bare }))).json).not.toHaveProperty('embeds');
});

test('a storm lists as many monitors as there is room for', async () => {
  const { json } = await requestOf(stormDelivery(500));
  const [{ description }] = json.embeds;
  expect(description.length).toBeLessThanOrEqual(4_096);
  expect(description).toMatch(/Shop 1: HTTP 503\n[^]*\n… and \d+ more lines\n\n\[Details\]/);
});

test('texts that are too long are cut', async () => {
  const { json } = await requestOf(channelDelivery({ message: ENDLESS }));
  expect(json.content.length).toBeLessThanOrEqual(2_000);
  expect(json.embeds[0].description.length).toBeLessThanOrEqual(4_096);
});

test('nobody is mentioned, and nothing in a name is mark-up [34.20]', async () => {
  const { json } = await requestOf(channelDelivery({ message: MARKED_UP }));
  expect(json.allowed_mentions).toEqual({ parse: [] });
  expect(json.content).toContain(String.raw`\<!channel> \*bold\*`);
  expect(json.content).toContain(String.raw`\[link\](https`);
  expect(json.embeds[0].description).toContain(String.raw`\|\|spoiler\|\| \:fire:`);
});

test('429 says in its body how long to wait, with a fraction', async () => {
  const body = '{"message": "You are being rate limited.", "retry_after": 64.57, "global": false}';
  expect(await outcomeAfter({ status: 429, body, headers: { 'Retry-After': '65' } })).toEqual({
    outcome: 'failed',
    statusCode: 429,
    retryAfterMs: 64_570,
    reason: 'Discord answered HTTP 429: You are being rate limited.',
  });
});

test.each([
  [404, 10_015, 'Unknown Webhook'],
  [404, 10_003, 'Unknown Channel'],
  [401, 50_027, 'Invalid Webhook Token'],
])('%i with code %i: the webhook is gone', async (status, code, text) => {
  const body = JSON.stringify({ message: text, code });
  expect(await outcomeAfter({ status, body })).toEqual({
    outcome: 'gone',
    statusCode: status,
    reason: `Discord answered HTTP ${status}: ${text}. Make a new webhook in Discord, and enter its address.`,
  });
});

test('another error is a refusal', async () => {
  const body = '{"message": "Invalid Form Body", "code": 50035, "errors": {}}';
  expect(await outcomeAfter({ status: 400, body })).toMatchObject({
    outcome: 'refused',
    reason: 'Discord answered HTTP 400: Invalid Form Body.',
  });
});
