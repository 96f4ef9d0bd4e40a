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
import { slack } from './slack.ts';

const PATH = '/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX';
const SETTINGS = { webhook_url: `https://hooks.slack.com${PATH}` };
const { requestOf, outcomeAfter, provider, send } = tryChannel(slack, SETTINGS);
describeProvider(slack, SETTINGS, [PATH, 'XXXXXXXXXXXXXXXXXXXXXXXX']);

test('an alarm is a header, its lines, and two buttons', async () => {
  const request = await requestOf(channelDelivery());
  expect(request.url).toBe(SETTINGS.webhook_url);
  expect(request.json).toEqual({
    text: '🔴 Shop is down since 08:02 UTC',
    blocks: [
      {
        type: 'header',
        text: { type: 'plain_text', text: '🔴 Shop is down since 08:02 UTC', emoji: false },
      },
      { type: 'section', text: { type: 'plain_text', text: 'Cause: HTTP 503.', emoji: false } },
      {
        type: 'actions',
        elements: [
          {
            type: 'button',
            text: { type: 'plain_text', text: 'Details', emoji: false },
            url: 'https://up.example.com/alert?token=abc',
          },
          {
            type: 'button',
            text: { type: 'plain_text', text: 'Acknowledge', emoji: false },
            url: 'https://up.example.com/alert?token=abc&acknowledge=1',
          },
        ],
      },
    ],
    unfurl_links: false,
    unfurl_media: false,
  });
});

test('a recovery has nothing to acknowledge', async () => {
  const { json } = await requestOf(recoveryDelivery());
  expect(json.text).toBe('🟢 Shop is up again after 9 minutes');
  expect(json.blocks[1].text.text).toBe('Shop is up again.\nIt was down for 9 minutes.');
  expect(json.blocks[2].elements).toHaveLength(1);
});

test('a message without lines and links is a header alone', async () => {
  const bare = message({ lines: [], links: { details: null, acknowledge: null } });
  const { json } = await requestOf(channelDelivery({ message: bare }));
  expect(json.blocks.map(({ type }: { type: string }) => type)).toEqual(['header']);
});

test('a storm lists its monitors, as many as there is room for', async () => {
  const few = await requestOf(stormDelivery(12));
  expect(few.json.blocks[1].text.text.split('\n')).toHaveLength(12);
  const many = await requestOf(stormDelivery(500));
  const { text } = many.json.blocks[1].text;
  expect(text.length).toBeLessThanOrEqual(3_000);
  const [, more] = /… and (\d+) more lines$/.exec(text)!;
  expect(text.split('\n').length - 1 + Number(more)).toBe(500);
});

test('texts that are too long are cut', async () => {
  const { json } = await requestOf(channelDelivery({ message: ENDLESS }));
  expect(json.blocks[0].text.text.length).toBeLessThanOrEqual(150);
  expect(json.blocks[1].text.text.length).toBeLessThanOrEqual(3_000);
});

test('nothing in a name is mark-up', async () => {
  const { json } = await requestOf(channelDelivery({ message: MARKED_UP }));
  expect(json.text).toContain('@everyone &lt;!channel&gt; *bold*');
  expect(json.text).not.toMatch(/[<>]/);
  for (const { text, elements = [] } of json.blocks)
    for (const one of [text, ...elements.map((element: any) => element.text)])
      if (one !== undefined) expect(one).toMatchObject({ type: 'plain_text', emoji: false });
});

test('blocks that Slack refuses become plain text [34.27]', async () => {
  provider.answer({ status: 400, body: 'invalid_blocks' }, { status: 200, body: 'ok' });
  expect(await send(channelDelivery({ message: MARKED_UP }))).toEqual({
    outcome: 'delivered',
    statusCode: 200,
  });
  const body = JSON.parse(provider.requests.at(-1)!.body);
  expect(body.blocks).toBeUndefined();
  expect(body.text).toContain('&lt;!channel&gt;');
  expect(body.text).toMatch(
    /\n<https:\/\/up\.example\.com\/alert\?token=abc\|Details> <[^>]+\|Acknowledge>$/,
  );

  provider.answer({ status: 400, body: 'invalid_blocks' });
  await send(channelDelivery({ message: ENDLESS }));
  expect(JSON.parse(provider.requests.at(-1)!.body).text.length).toBeLessThanOrEqual(4_000);
});

test.each([
  [404, 'no_service'],
  [404, 'channel_not_found'],
  [410, 'channel_is_archived'],
])('%i %s: the webhook is gone', async (status, body) => {
  expect(await outcomeAfter({ status, body })).toEqual({
    outcome: 'gone',
    statusCode: status,
    reason: `Slack answered HTTP ${status}: ${body}. Make a new webhook in Slack, and enter its address.`,
  });
});

test.each([
  [403, 'action_prohibited'],
  [400, 'no_text'],
  [404, ''],
])('%i %j is a refusal', async (status, body) => {
  expect(await outcomeAfter({ status, body })).toMatchObject({
    outcome: 'refused',
    statusCode: status,
  });
});

test('what is no answer of Slack is not repeated: the address may lead anywhere', async () => {
  expect(await outcomeAfter({ status: 500, body: 'user=admin password=hunter2' })).toMatchObject({
    outcome: 'failed',
    reason: 'Slack answered HTTP 500.',
  });
});
