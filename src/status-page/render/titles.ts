import type { AnnouncementFacts, UpdateFacts } from '../facts/model.ts';
import type { AutomaticSubject, Words } from './words/index.ts';

type State = AnnouncementFacts['state'];

/** Whether an incident is resolved or a maintenance completed. */
export function isEnded(announcement: Pick<AnnouncementFacts, 'state'>): boolean {
  return announcement.state === 'resolved' || announcement.state === 'completed';
}

/** Title that a person wrote, else one made of the affected services. */
export function announcementTitle(
  announcement: Pick<AnnouncementFacts, 'title' | 'kind' | 'impact' | 'services' | 'state'>,
  words: Words,
): string {
  return announcement.title ?? words.automatic.title(subjectOf(announcement));
}

/** Name of the state of an announcement or update, such as `Investigating`. */
export function stateName(state: State, words: Words): string {
  return words.incidents.states[state];
}

/** Plain text of an automatic update, which no person wrote. */
export function automaticText(
  update: Pick<UpdateFacts, 'state'>,
  announcement: Pick<AnnouncementFacts, 'kind' | 'impact' | 'services' | 'state'>,
  words: Words,
): string {
  return words.automatic.text(update.state, subjectOf(announcement));
}

function subjectOf(
  announcement: Pick<AnnouncementFacts, 'kind' | 'impact' | 'services' | 'state'>,
): AutomaticSubject {
  const { kind, impact, services } = announcement;
  return { kind, impact, names: services.map(({ name }) => name), isEnded: isEnded(announcement) };
}
