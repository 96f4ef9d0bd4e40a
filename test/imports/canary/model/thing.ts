import { helper } from '../lib/helper.ts';
export const thing = helper;
