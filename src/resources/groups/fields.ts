import { z } from 'zod';
import { plain } from '../../lib/columns.ts';
import { nameText, text, wholeNumber } from '../../lib/schemas.ts';
import type { Fields } from '../common/fields.ts';

const NO_GROUP = 'must be the id of a group of your team';

export interface GroupSettings {
  name: string;
  description: string | null;
  parent_id: number | null;
  sort_order: number;
}

/** Settings of a group (contract 26.3). */
export const GROUP_FIELDS: Fields<GroupSettings> = {
  name: {
    codec: plain,
    input: nameText(60),
    output: z.string(),
    unset: '',
    required: 'give the group a name for lists',
    meaning: 'Unique in the team, without regard to case.',
  },
  description: { codec: plain, input: text(255), output: z.string() },
  parent_id: {
    codec: plain,
    input: z.int({ error: NO_GROUP }).min(1, { error: NO_GROUP }),
    output: z.int(),
    meaning: 'The group that this one is in. Groups nest one level deep.',
  },
  sort_order: {
    codec: plain,
    input: wholeNumber(0, 2_147_483_647),
    output: z.int(),
    unset: 0,
    meaning: 'Lists are sorted by it, then by name.',
  },
};
