import type { Message, Notice } from './notice.ts';
import type { Body } from './render-mail.ts';
import { durationOf, type Times } from './render-times.ts';

/** UTF-16 units of a short message. */
export const LONGEST_SHORT = 160;

/** What a message says, before it is put into a form. */
export type Content = Pick<Body, 'subject' | 'sentences' | 'facts' | 'list'> & {
  tone: Message['tone'];
  /** Behind the subject of a short message; null for nothing. */
  why: string | null;
};

/** How many of those that go on somebody has acknowledged. */
export type Acknowledged = 'all' | 'some' | 'none';

export function waitingSentences(kind: Notice['kind'], acknowledged: Acknowledged): string[] {
  if (acknowledged === 'all') return ['Somebody has acknowledged it.'];
  const isSome = acknowledged === 'some';
  if (kind === 'escalation')
    return [
      `${isSome ? 'Not all of them are acknowledged' : 'Nobody acknowledged it'}, so you are asked next.`,
    ];
  if (isSome) return ['Not all of them are acknowledged yet.'];
  return kind === 'reminder' ? ['Nobody has acknowledged it yet.'] : [];
}

/** Since when, or how long and when. */
export function timeFact(
  { from, to, now }: { from: number; to: number | null; now: number },
  times: Times,
): Body['facts'][number] {
  return to === null
    ? { name: 'Since', value: `${times.exact(from)} (${durationOf(now - from)})` }
    : { name: 'Lasted', value: `${durationOf(to - from)}, ${times.exactRange(from, to)}` };
}

export function toneOf(severity: Notice['severity']): Message['tone'] {
  return severity === 'info' ? 'neutral' : severity;
}
