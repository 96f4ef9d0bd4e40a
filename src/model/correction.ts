/** How an interval can count instead of as it was recorded. */
export const CORRECTION_KINDS = ['maintenance', 'false_alarm', 'excluded', 'up', 'down'] as const;
export type CorrectionKind = (typeof CORRECTION_KINDS)[number];

/** A correction in force, `[from, to)` in epoch milliseconds. */
export interface Correction {
  id: number;
  from: number;
  to: number;
  as: CorrectionKind;
}
