import { grid } from './grid.ts';
export const phase = grid;
