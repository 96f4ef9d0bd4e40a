import { teamsMessage } from '../../lib/chat-messages.ts';
import { cut, cutLines } from '../../lib/text.ts';
import type { Message } from '../message/content.ts';
import { jsonOf, classifyAnswer, objectOf, textOf, postJson } from './answer.ts';
import { defineChannel } from './contract.ts';
import { linesBelowSubject, linksOf, symbolOf } from './message-parts.ts';

/** Teams takes messages of 28 KB; these characters and lines stay below it in any script, with all that surrounds them. */
const LONGEST = { subject: 500, lines: 4_000 };
const MOST_LINES = 60;

const COLOURS: Record<Message['tone'], string> = {
  critical: 'Attention',
  warning: 'Warning',
  good: 'Good',
  neutral: 'Accent',
};

/** Error codes of Power Automate for a workflow that was deleted. */
const GONE = new Set(['WorkflowNotFound', 'WorkflowTriggerVersionNotFound']);

/** Whether the answer of a workflow says that it was deleted. */
export const isGoneFromTeams = (answer: string) =>
  [...GONE].some((code) => answer.includes(`"${code}"`));

/**
 * Microsoft Teams, by the Workflows app ("When a Teams webhook request is received"), for the connectors of Office 365 are
 * retired. By copies, read in November 2026, of
 * https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using and
 * https://learn.microsoft.com/en-us/adaptive-cards/schema-explorer/text-run. A workflow answers 202 before it has sent
 * anything, so what goes wrong inside it is seen in its run history only; errors are JSON with an `error.code`. What is
 * from elsewhere: docs/channels.md.
 */
export const microsoftTeams = defineChannel({
  type: 'microsoft_teams',
  title: 'Microsoft Teams',
  fields: {
    webhook_url: {
      kind: 'url',
      secret: true,
      description:
        'The address that the Workflows app shows for a workflow that posts webhook requests.',
      example:
        'https://prod-01.westeurope.logic.azure.com/workflows/0a1b2c/triggers/manual/paths/invoke?sig=3d89bb7572e0fb30',
    },
  },
  async send({ webhook_url: url }, { message }, { http, now }, signal) {
    const answer = await postJson(http, { url, body: cardOf(message) }, signal);
    const error = objectOf(jsonOf(answer)['error']);
    const reading = {
      words: textOf(error['message']) ?? textOf(error['code']),
      gone: GONE.has(String(error['code']))
        ? 'Make a new workflow in Teams, and enter its address.'
        : null,
    };
    return classifyAnswer('Microsoft Teams', answer, reading, { now: now(), secrets: [url] });
  },
});

function cardOf(message: Message): object {
  const lines = cutLines(linesBelowSubject(message), LONGEST.lines, { mostLines: MOST_LINES });
  const shown = {
    headline: `${symbolOf(message)}${cut(message.subject, LONGEST.subject)}`,
    text: lines.split('\n', MOST_LINES).join('\n'),
    links: linksOf(message),
  };
  return teamsMessage(shown, { short: message.short, color: COLOURS[message.tone] });
}
