import { due } from './due.ts';
export const scheduler = due;
