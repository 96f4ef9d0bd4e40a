import type { Question } from '../question.ts';
import { CHANGES } from './changes.ts';
import { FIGURES } from './figures.ts';
import { OUTAGES } from './outages.ts';
import { REFUSALS } from './refusals.ts';
import { SETUP } from './setup.ts';
import { TARGETS } from './targets.ts';

/** All questions. Those that change something come last. */
export const QUESTIONS: readonly Question[] = [
  ...OUTAGES,
  ...FIGURES,
  ...TARGETS,
  ...REFUSALS,
  ...CHANGES,
  ...SETUP,
];
