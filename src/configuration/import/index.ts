import type { Importer } from './importer.ts';

/** All ways over from other services, in the order in which they are offered: a new one is one line here. */
export const IMPORTERS: readonly Importer[] = [];
