import { z } from 'zod';
import { oneOf, text } from '../../lib/schemas.ts';
import { CORRECTION_KINDS, type CorrectionKind } from '../../model/correction.ts';
import { Findings, readBody } from '../common/input.ts';
import { UNSORTED_PAGE_QUERY } from '../common/page.ts';
import { dateTime, since1970 } from '../common/time-input.ts';

const DAY_MS = 86_400_000;
/** Longest correction: a month. */
const MAX_DAYS = 31;

const MISSING_TIME = 'is required: give a date and time such as 2030-01-31T12:00:00Z';
const time = () => since1970(dateTime(undefined, MISSING_TIME));

export const correctionBody = z.object({
  from: time().meta({ description: 'Start, not before the monitor was created.' }),
  to: time().meta({
    description: `End, not included; at most now and ${MAX_DAYS} days after from.`,
  }),
  as: oneOf(CORRECTION_KINDS).meta({
    description:
      'maintenance, excluded: downtime is left out. false_alarm: offline and degraded time counts as online. up, down: the whole interval counts so, also where nothing was observed.',
  }),
  reason: text(1_000).meta({ description: 'Shown beside the corrected figures.' }),
  evidence: text(2_000)
    .nullish()
    .meta({ description: 'Text or link that supports it; required for up and down.' }),
});

export const correctionListQuery = z.object({
  include_removed: oneOf(['true', 'false'])
    .optional()
    .meta({ description: 'true also lists corrections that were taken back. By default false.' }),
  ...UNSORTED_PAGE_QUERY,
});

/** Correction to record, epoch milliseconds. */
export interface NewCorrection {
  from: number;
  to: number;
  as: CorrectionKind;
  reason: string;
  evidence: string | null;
}

/** Reads a correction of a monitor that was created at `createdAt`. Throws InvalidInput with all errors. */
export function readCorrection(body: unknown, createdAt: number, now: number): NewCorrection {
  const findings = new Findings();
  const input = readBody(correctionBody, body, findings);
  const { from, to, as, reason } = input;
  if (reason === undefined && !findings.has('reason'))
    findings.add('reason', 'is required: tell why it counts so');
  if (from !== undefined && from < createdAt)
    findings.add('from', 'must not be before the monitor was created');
  if (to !== undefined && to > now) findings.add('to', 'must not be in the future');
  if (from !== undefined && to !== undefined) {
    if (to <= from) findings.add('to', 'must be after from');
    if (to - from > MAX_DAYS * DAY_MS)
      findings.add('to', `must be at most ${MAX_DAYS} days after from`);
  }
  if ((as === 'up' || as === 'down') && input.evidence == null && !findings.has('evidence'))
    findings.add('evidence', `is required with ${as}: give a text or a link that supports it`);
  findings.throwIfAny();
  return { ...(input as z.output<typeof correctionBody>), evidence: input.evidence ?? null };
}
