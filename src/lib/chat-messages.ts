import { cut, cutWritten, escapeTags } from './text.ts';

/** A message to a chat. Its texts are plain: nothing in them is mark-up there. */
export interface ChatMessage {
  headline: string | null;
  /** Lines, which may be empty. */
  text: string;
  links: readonly { title: string; url: string }[];
}

/**
 * In characters: of a header, of a section's text, of a button, and of a message without blocks
 * (https://docs.slack.dev/reference/block-kit/blocks).
 */
export const SLACK_LONGEST = { header: 150, section: 3_000, button: 75, text: 4_000 };

const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });

/** The body of an incoming webhook of Slack. */
export function slackMessage({ headline, text, links }: ChatMessage): object {
  const buttons = links.map(({ title, url }) => ({
    type: 'button',
    text: plain(cut(title, SLACK_LONGEST.button)),
    url,
  }));
  return {
    text: cutWritten(headline ?? text, SLACK_LONGEST.text, escapeTags),
    blocks: [
      ...(headline === null
        ? []
        : [{ type: 'header', text: plain(cut(headline, SLACK_LONGEST.header)) }]),
      ...(text.trim() === ''
        ? []
        : [{ type: 'section', text: plain(cut(text, SLACK_LONGEST.section)) }]),
      ...(buttons.length === 0 ? [] : [{ type: 'actions', elements: buttons }]),
    ],
    // A preview would open the links before anybody does.
    unfurl_links: false,
    unfurl_media: false,
  };
}

const block = (run: object) => ({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', ...run }] });

/**
 * The body of a workflow of Teams, which takes 28 kB: an adaptive card of text runs, which know no Markdown.
 *
 * @param shown.short what a notification says of the message
 * @param shown.color of the headline, by its name in adaptive cards
 */
export function teamsMessage(
  { headline, text, links }: ChatMessage,
  shown: { short?: string; color?: string } = {},
): object {
  const { short = headline ?? text, ...look } = shown;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    fallbackText: short,
    msteams: { width: 'Full' },
    body: [
      ...(headline === null
        ? []
        : [block({ text: headline, size: 'Large', weight: 'Bolder', ...look })]),
      ...lines.map((line) => block({ text: line })),
    ],
    actions: links.map(({ title, url }) => ({ type: 'Action.OpenUrl', title, url })),
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] };
}
