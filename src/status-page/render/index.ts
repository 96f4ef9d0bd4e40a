import type { AnnouncementPageFacts, MonthFacts, PageFacts, PageIdentity } from '../facts/model.ts';
import type { Message } from './message.ts';

export type { FormField, Message, MessageForm } from './message.ts';

/** The page as HTML. */
export function renderPage(_facts: PageFacts, _now: number): string {
  throw new Error('not rendered yet');
}

/** One incident or maintenance. */
export function renderAnnouncement(_facts: AnnouncementPageFacts, _now: number): string {
  throw new Error('not rendered yet');
}

/** A month of incidents. */
export function renderMonth(_facts: MonthFacts, _now: number): string {
  throw new Error('not rendered yet');
}

/** Summary for frames of other sites. */
export function renderEmbed(_facts: PageFacts, _now: number): string {
  throw new Error('not rendered yet');
}

/** Uptime with and without corrections. */
export function renderUncorrected(_facts: PageFacts, _now: number): string {
  throw new Error('not rendered yet');
}

/**
 * Form for the password of a page.
 *
 * @param options.returnTo document to show afterwards, a path below `/status/`, as of `DOCUMENTS`
 */
export function renderSignIn(
  _page: PageIdentity,
  _options: { error: string | null; returnTo: string },
): string {
  throw new Error('not rendered yet');
}

/** A title, a text and perhaps a form, such as for subscribing. */
export function renderMessage(_page: PageIdentity, _message: Message): string {
  throw new Error('not rendered yet');
}

/** Answer of addresses below a page that do not exist. */
export function renderNotFound(_page: PageIdentity, _document: string): string {
  throw new Error('not rendered yet');
}

/** Static file of public documents. */
export interface Asset {
  /** Below `/status/`, such as `_/2Jmj7l5rSw0yVb_v/style.css`: the hash is that of all files. */
  path: string;
  type: string;
  bytes: Buffer;
}

export const ASSETS: readonly Asset[] = [];
