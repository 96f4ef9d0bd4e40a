import type { SubscriberKind } from '../../model/outgoing.ts';
import type { AnnouncementFacts, UpdateFacts } from '../facts/model.ts';
import { withoutControls } from '../text/characters.ts';
import { markdownToText } from '../text/markdown.ts';
import type { AutomaticSubject, Words } from './words/index.ts';

type State = AnnouncementFacts['state'];
type Subject = Pick<AnnouncementFacts, 'kind' | 'impact' | 'services' | 'state'>;

export function isEnded(announcement: Pick<AnnouncementFacts, 'state'>): boolean {
  return announcement.state === 'resolved' || announcement.state === 'completed';
}

/** Title that a person wrote, else one made of the affected services. */
export function announcementTitle(
  announcement: Subject & Pick<AnnouncementFacts, 'title'>,
  words: Words,
): string {
  return announcement.title ?? words.automatic.title(subjectOf(announcement));
}

export function stateName(state: State, words: Words): string {
  return words.incidents.states[state];
}

/** When planned maintenance begins and ends; null for what is not planned. */
export function plannedRange(
  { kind, startedAt, plannedUntil }: AnnouncementFacts,
  zone: string,
  words: Words,
): string | null {
  if (kind !== 'maintenance' || plannedUntil === null) return null;
  return words.range(startedAt, plannedUntil, zone);
}

/** Plain text of an automatic update, which no person wrote. */
export function automaticText(
  update: Pick<UpdateFacts, 'state'>,
  announcement: Subject,
  words: Words,
): string {
  return words.automatic.text(update.state, subjectOf(announcement));
}

function subjectOf(announcement: Subject): AutomaticSubject {
  const { kind, impact, services } = announcement;
  return { kind, impact, names: services.map(({ name }) => name), isEnded: isEnded(announcement) };
}

/** Plain text of any update, for programs. */
export function updateText(update: UpdateFacts, announcement: AnnouncementFacts, words: Words) {
  const { text } = update;
  return text === null
    ? withoutControls(automaticText(update, announcement, words))
    : markdownToText(text);
}

/** Name of a way to get updates. */
export function nameOfWay(kind: SubscriberKind, { subscribe }: Words): string {
  return { slack: 'Slack', microsoft_teams: 'Microsoft Teams', ...subscribe.ways }[kind];
}
