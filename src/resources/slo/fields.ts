import { z } from 'zod';
import { flag, plain } from '../../lib/columns.ts';
import { anyNumber, wholeNumber, yesOrNo } from '../../lib/schemas.ts';
import type { Fields } from '../common/fields.ts';

export interface SloSettings {
  target_percent: number;
  window_days: number;
  burn_rate_alerts: boolean;
}

/** Settings of an SLO (contract 46.11). */
export const SLO_FIELDS: Fields<SloSettings> = {
  target_percent: {
    codec: plain,
    input: anyNumber(50, 99.999),
    output: z.number(),
    unset: 99.9,
    required: 'give the share of time that must be up, such as 99.9',
    meaning: 'Share of the observed time that must be up, in percent.',
  },
  window_days: {
    codec: plain,
    input: wholeNumber(1, 90),
    output: z.int(),
    unset: 30,
    meaning: 'Length of the sliding window that ends now.',
  },
  burn_rate_alerts: {
    codec: flag,
    input: yesOrNo(),
    output: z.boolean(),
    unset: false,
    meaning: 'Opens an incident of type error_budget while the budget burns too fast.',
  },
};
