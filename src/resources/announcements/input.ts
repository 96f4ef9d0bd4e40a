import { nameText, oneOf, text, yesOrNo } from '../../lib/schemas.ts';
import { MAX_TITLE, MAX_UPDATE_TEXT } from '../../status-page/facts/model.ts';
import type { Findings } from '../common/input.ts';
import { idList } from '../common/lists.ts';
import { dateTime, since1970 } from '../common/time-input.ts';

export const ANNOUNCEMENT_KINDS = ['incident', 'maintenance'] as const;
export const IMPACTS = ['none', 'minor', 'major', 'critical'] as const;

/** States of announcements of a kind, the last one ends it. */
const STATES_OF = {
  incident: ['investigating', 'identified', 'monitoring', 'resolved'],
  maintenance: ['scheduled', 'in_progress', 'completed'],
} as const;

export const STATES = [...STATES_OF.incident, ...STATES_OF.maintenance] as const;

/** Whether a state ends an announcement. */
export function isFinal(state: string): boolean {
  return state === 'resolved' || state === 'completed';
}

export const MARKDOWN =
  'Markdown: paragraphs, lists, bold, italics, code and links. Other markup is shown as text.';

/** Fields of bodies. */
export const fields = {
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

/** Reports a state of another kind of announcement. */
export function checkState(kind: string, state: string | null, findings: Findings): void {
  const known: readonly string[] = STATES_OF[kind as keyof typeof STATES_OF];
  const what = kind === 'incident' ? 'an incident' : 'maintenance';
  if (state !== null && !known.includes(state))
    findings.add('state', `must be one of ${known.join(', ')} for ${what}`);
}

/** Reports a required field that is missing. */
export function requireField(field: string, value: unknown, hint: string, findings: Findings) {
  if (value == null && !findings.has(field)) findings.add(field, `is required: ${hint}`);
}
