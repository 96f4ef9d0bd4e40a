import { z } from 'zod';
import { nameText, oneOf, text, wholeNumber, yesOrNo } from '../../lib/schemas.ts';
import { MAX_POST_MORTEM, MAX_TITLE, MAX_UPDATE_TEXT } from '../../status-page/facts/model.ts';
import { queryNumber, type Findings } from '../common/input.ts';
import { idList } from '../common/lists.ts';
import { UNSORTED_PAGE_QUERY } from '../common/page.ts';
import { dateTime, since1970 } from '../common/time-input.ts';

export const ANNOUNCEMENT_KINDS = ['incident', 'maintenance'] as const;
export const ORIGINS = ['automatic', 'window', 'person'] as const;
export const IMPACTS = ['none', 'minor', 'major', 'critical'] as const;
export const INCIDENT_STATES = ['investigating', 'identified', 'monitoring', 'resolved'] as const;
export const MAINTENANCE_STATES = ['scheduled', 'in_progress', 'completed'] as const;
export const STATES = [...INCIDENT_STATES, ...MAINTENANCE_STATES] as const;

type Kind = (typeof ANNOUNCEMENT_KINDS)[number];

/** States of announcements of a kind, the last one ends it. */
const STATES_OF: Record<Kind, readonly string[]> = {
  incident: INCIDENT_STATES,
  maintenance: MAINTENANCE_STATES,
};

/** Whether a state ends an announcement. */
export function isFinal(state: string): boolean {
  return state === 'resolved' || state === 'completed';
}

const MARKDOWN =
  'Markdown: paragraphs, lists, bold, italics, code and links. Other markup is shown as text.';

const fields = {
  title: nameText(MAX_TITLE)
    .nullish()
    .meta({ description: 'Null for one made of the names of the affected services.' }),
  impact: oneOf(IMPACTS).nullish(),
  state: oneOf(STATES).nullish().meta({
    description:
      'Of an incident investigating, identified, monitoring or resolved; of maintenance scheduled, in_progress or completed. The last one ends the announcement.',
  }),
  text: text(MAX_UPDATE_TEXT).nullish().meta({ description: MARKDOWN }),
  monitors: idList('monitors').nullish().meta({ description: 'Affected monitors.' }),
  status_pages: idList('status pages').nullish().meta({ description: 'Pages that show it.' }),
  starts_at: since1970(dateTime()).nullish(),
  ends_at: since1970(dateTime()).nullish(),
  notify: yesOrNo()
    .nullish()
    .meta({ description: 'Whether subscribers of the pages are notified; `true` by default.' }),
};

export const announcementListQuery = z.object({
  ...UNSORTED_PAGE_QUERY,
  kind: oneOf(ANNOUNCEMENT_KINDS).optional(),
  state: oneOf(['open', 'ended']).optional(),
  status_page: queryNumber(1, Number.MAX_SAFE_INTEGER, 'a whole number')
    .optional()
    .meta({ description: 'Id of a page that shows them.' }),
});

export const announcementCreateBody = z.object({
  kind: oneOf(ANNOUNCEMENT_KINDS).nullish().meta({ description: '`incident` by default.' }),
  title: fields.title,
  impact: fields.impact.meta({
    description: 'By default `minor` for an incident, and `none` for maintenance.',
  }),
  state: fields.state,
  text: fields.text,
  status_pages: fields.status_pages,
  monitors: fields.monitors,
  starts_at: fields.starts_at.meta({
    description: 'By default now; required for maintenance.',
  }),
  ends_at: fields.ends_at.meta({
    description:
      'Planned end of maintenance, required there; of an incident its end, with the state `resolved` only.',
  }),
  notify: fields.notify,
});

export const announcementUpdateBody = z.object({
  title: fields.title,
  impact: fields.impact,
  monitors: fields.monitors,
  status_pages: fields.status_pages,
  starts_at: fields.starts_at,
  ends_at: fields.ends_at,
});

const shared = {
  state: fields.state,
  text: fields.text,
  status_pages: fields.status_pages.meta({
    description:
      'Pages that show the update. By default those of the announcement; of a new one all pages that show the monitor.',
  }),
};

export const updateCreateBody = z.object({
  ...shared,
  title: fields.title.meta({ description: 'Sets the title of the announcement.' }),
  impact: fields.impact.meta({ description: 'Sets the impact of the announcement.' }),
  template_id: wholeNumber(1, Number.MAX_SAFE_INTEGER, 'the id of an update template of your team,')
    .nullish()
    .meta({ description: 'Template whose state, text and title stand in for missing ones.' }),
  notify: fields.notify,
});

export const updateEditBody = z.object(shared);

export const postMortemBody = z.object({
  text: text(MAX_POST_MORTEM).nullish().meta({ description: MARKDOWN }),
  publish: yesOrNo()
    .nullish()
    .meta({ description: 'True shows it on the pages, false hides it. Hidden by default.' }),
});

/** Reports a state of another kind of announcement. */
export function checkState(kind: string, state: string | null, findings: Findings): void {
  const known = STATES_OF[kind as Kind];
  if (state !== null && !known.includes(state))
    findings.add('state', `must be one of ${known.join(', ')} for ${nounOf(kind)}`);
}

const nounOf = (kind: string) => (kind === 'incident' ? 'an incident' : 'maintenance');

/** Reports a required field that is missing. */
export function requireField(
  field: string,
  value: unknown,
  hint: string,
  findings: Findings,
): void {
  if (value == null && !findings.has(field)) findings.add(field, `is required: ${hint}`);
}

/** Tolerance for clocks that are ahead of the server's. */
const FUTURE_MS = 5 * 60_000;
const YEAR_MS = 366 * 86_400_000;

/** Times of a new announcement, in epoch milliseconds. */
export interface AnnouncementTimes {
  startedAt: number;
  plannedUntil: number | null;
  /** End of an incident that is over. */
  endedAt: number | null;
}

/** Reads and checks the times of an announcement. They are of use only when nothing was found. */
export function timesOf(
  {
    kind,
    state,
    starts,
    ends,
  }: { kind: string; state: string | null } & {
    starts: number | null;
    ends: number | null;
  },
  now: number,
  findings: Findings,
): AnnouncementTimes {
  const startedAt = starts ?? now;
  if (kind === 'maintenance') {
    requireField('starts_at', starts, 'give the planned beginning', findings);
    requireField('ends_at', ends, 'give the planned end', findings);
    if (startedAt > now + YEAR_MS) findings.add('starts_at', 'must not be more than a year ahead');
  } else {
    if (startedAt > now + FUTURE_MS)
      findings.add('starts_at', 'must not be more than 5 minutes in the future');
    if (ends !== null && state !== null && state !== 'resolved')
      findings.add('ends_at', 'is for the state resolved only: leave it out, or send null');
    if ((ends ?? 0) > now + FUTURE_MS)
      findings.add('ends_at', 'must not be more than 5 minutes in the future');
  }
  if (ends !== null && starts !== null && ends <= starts)
    findings.add('ends_at', 'must be after starts_at');
  if (ends !== null && starts === null && kind === 'incident' && ends < now)
    findings.add('starts_at', 'is required with an ends_at in the past: give the beginning');
  return kind === 'maintenance'
    ? { startedAt, plannedUntil: ends, endedAt: null }
    : { startedAt, plannedUntil: null, endedAt: ends };
}
