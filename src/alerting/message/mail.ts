import { layOutMail } from '../../lib/mail-layout.ts';
import type { Message } from './content.ts';

/** The parts of a mail. Plain texts of one line each. */
export interface Body extends Pick<Message, 'subject' | 'tone' | 'links'> {
  /** Sentences above the facts. */
  sentences: string[];
  facts: { name: string; value: string }[];
  /** One line per incident if there are several. */
  list: string[];
  /** Name of the recipient; null for none. */
  team: string | null;
}

/** The message without its links. */
export function linesOf({ sentences, facts, list }: Body): string[] {
  return [
    ...sentences,
    ...facts.map(({ name, value }) => `${name}: ${value}`),
    ...list.map((line) => `- ${line}`),
  ];
}

/** Renders the mail as text and as HTML. */
export function alertMail(body: Body): { text: string; html: string } {
  const { subject, tone, sentences, facts, list, links, team } = body;
  const { acknowledge, details } = links;
  return layOutMail({
    language: 'en',
    subject,
    sender: 'Tocsin',
    headline: subject,
    tone,
    parts: [
      ...sentences.map((text) => ({ text })),
      { facts },
      // Links come before a long list, the one that is asked for first.
      {
        buttons: [
          ...(acknowledge === null ? [] : [{ label: 'Acknowledge', url: acknowledge }]),
          ...(details === null ? [] : [{ label: 'Details', url: details }]),
        ],
      },
      { list },
    ],
    footer: { text: team === null ? 'Tocsin' : `Tocsin, for the team ${team}` },
  });
}
