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
import { microsoftTeams } from './microsoft-teams.ts';

const SECRET = '3d89bb7572e0fb30d8128367b3b1b44f';
const SETTINGS = {
  webhook_url: `https://prod-01.westeurope.logic.azure.com/workflows/0a/triggers/manual/paths/invoke?sp=%2Ftriggers&sig=${SECRET}`,
};
const { requestOf, outcomeAfter } = tryChannel(microsoftTeams, SETTINGS);
describeProvider(microsoftTeams, SETTINGS, [SECRET]);

const cardOf = (json: any) => json.attachments[0].content;
const linesOf = (json: any): string[] =>
  cardOf(json).body.map(({ inlines: [run] }: any) => run.text);

test('an alarm is an adaptive card with two buttons', async () => {
  const request = await requestOf(channelDelivery());
  expect(request.url).toBe(SETTINGS.webhook_url);
  expect(request.json).toEqual({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          fallbackText: 'Shop is down since 08:02 UTC: HTTP 503',
          msteams: { width: 'Full' },
          body: [
            {
              type: 'RichTextBlock',
              inlines: [
                {
                  type: 'TextRun',
                  text: '🔴 Shop is down since 08:02 UTC',
                  size: 'Large',
                  weight: 'Bolder',
                  color: 'Attention',
                },
              ],
            },
            {
              type: 'RichTextBlock',
              inlines: [{ type: 'TextRun', text: 'Cause: HTTP 503.' }],
            },
          ],
          actions: [
            {
              type: 'Action.OpenUrl',
              title: 'Details',
              url: 'https://up.example.com/alert?token=abc',
            },
            {
              type: 'Action.OpenUrl',
              title: 'Acknowledge',
              url: 'https://up.example.com/alert?token=abc&acknowledge=1',
            },
          ],
        },
      },
    ],
  });
});

test('a workflow takes it with 202', async () => {
  expect(await outcomeAfter({ status: 202, body: '' })).toEqual({
    outcome: 'delivered',
    statusCode: 202,
  });
});

test('a recovery has nothing to acknowledge', async () => {
  const { json } = await requestOf(recoveryDelivery());
  expect(linesOf(json)).toEqual([
    '🟢 Shop is up again after 9 minutes',
    'Shop is up again.',
    'It was down for 9 minutes.',
  ]);
  expect(cardOf(json).actions).toHaveLength(1);
});

test('a storm lists as many monitors as there is room for', async () => {
  const lines = linesOf((await requestOf(stormDelivery(500))).json);
  expect(lines).toHaveLength(61);
  expect(lines.at(-1)).toBe('… and 441 more lines');
});

test('texts that are too long are cut to 28 KB', async () => {
  const { bytes } = await requestOf(channelDelivery({ message: ENDLESS }));
  expect(bytes.length).toBeLessThan(28 * 1_024);
  const lines = Array.from({ length: 2_000 }, (_, index) => `"${'あ'.repeat(60)}" ${index}`);
  const wide = message({ subject: 'あ'.repeat(2_000), lines });
  const again = await requestOf(channelDelivery({ message: wide }));
  expect(again.bytes.length).toBeLessThan(28 * 1_024);
});

test('nothing in a name is mark-up: text runs know none', async () => {
  const { json } = await requestOf(channelDelivery({ message: MARKED_UP }));
  expect(linesOf(json)).toEqual([`🔴 ${MARKED_UP.subject}`, ...MARKED_UP.lines]);
  for (const { type, inlines } of cardOf(json).body)
    expect([type, inlines[0].type]).toEqual(['RichTextBlock', 'TextRun']);
});

test('a workflow that was deleted is gone', async () => {
  const error = { code: 'WorkflowNotFound', message: 'The workflow could not be found.' };
  expect(await outcomeAfter({ status: 404, body: JSON.stringify({ error }) })).toEqual({
    outcome: 'gone',
    statusCode: 404,
    reason:
      'Microsoft Teams answered HTTP 404: The workflow could not be found. Make a new workflow in Teams, and enter its address.',
  });
});

test.each([
  [400, 'WorkflowTriggerIsNotEnabled'],
  [401, 'DirectApiAuthorizationRequired'],
])('%i %s is a refusal', async (status, code) => {
  expect(await outcomeAfter({ status, body: JSON.stringify({ error: { code } }) })).toMatchObject({
    outcome: 'refused',
    reason: `Microsoft Teams answered HTTP ${status}: ${code}.`,
  });
});
