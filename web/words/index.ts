import { en, type Words } from './en.ts';

export type { Words } from './en.ts';

/**
 * Words of the dashboard. The build replaces them by those of the language that it is made for, and gives each module the
 * sections that it names (src/dashboard/words.ts). So write `words.section` or `{ section } = words`, and nothing else.
 */
export const words: Words = en;
