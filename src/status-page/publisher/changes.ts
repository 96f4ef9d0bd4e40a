import type { PublishedAnnouncement } from './read.ts';

/** A change that the publisher makes. Subscribers of the pages are sent an update where `notify` is true. */
export type Change =
  /** `text` of the first update; null for words of the page. */
  | { do: 'open'; announcement: NewAnnouncement; text?: string | null; notify: boolean }
  /** Writes an automatic update and sets the state. */
  | {
      do: 'state';
      id: number;
      state: string;
      text?: string | null;
      endedAt: number | null;
      notify: boolean;
    }
  | { do: 'text'; updateId: number; text: string | null }
  | { do: 'link'; id: number; monitors: readonly number[]; incidents: readonly number[] }
  /** Shows an announcement and its automatic updates on more pages, and sends the last one to their subscribers. */
  | { do: 'show'; id: number; pages: readonly number[]; notify: boolean }
  | { do: 'hide'; id: number; pages: readonly number[]; monitors: readonly number[] }
  | { do: 'set'; id: number; fields: ChangedFields }
  | { do: 'notify'; updateId: number; pages: readonly number[] }
  | { do: 'remove'; id: number };

export type NewAnnouncement = Omit<
  PublishedAnnouncement,
  'id' | 'endedAt' | 'isDeleted' | 'isEdited' | 'updates'
>;

export type ChangedFields = Partial<
  Pick<NewAnnouncement, 'title' | 'impact' | 'startedAt' | 'plannedUntil' | 'windowFrom'>
>;

/** Changes to make now, and the time at which to decide again if the facts stay the same; null for never. */
export interface Decision {
  changes: Change[];
  nextAt: number | null;
}
