import { helper } from '../lib/helper.ts';
export const grid = helper;
