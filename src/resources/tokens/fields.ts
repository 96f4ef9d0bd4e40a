import { z } from 'zod';
import { ADMIN_TOKEN_NAME } from '../../identity/bootstrap.ts';
import { PERMISSIONS, type Permission } from '../../identity/caller.ts';
import { json, plain } from '../../lib/columns.ts';
import { nameText, oneOf } from '../../lib/schemas.ts';
import { TIME, type Fields } from '../common/fields.ts';
import { dateTime } from '../common/time-input.ts';

export interface TokenSettings {
  name: string;
  permissions: Permission[];
  /** Epoch milliseconds. */
  expires_at: number | null;
}

const LIST = `must be a list of one or more of ${PERMISSIONS.join(', ')}, each at most once`;

/** Settings of an API token (contract 36.29). */
export const TOKEN_FIELDS: Fields<TokenSettings> = {
  name: {
    codec: plain,
    input: nameText(100).refine((name) => name !== ADMIN_TOKEN_NAME, {
      error: `must not be ${ADMIN_TOKEN_NAME}: that is the one which the operator sets`,
    }),
    output: z.string(),
    required: 'give the token a name for lists',
  },
  permissions: {
    codec: json,
    input: z
      .array(oneOf(PERMISSIONS), { error: LIST })
      .min(1, { error: LIST })
      .refine((list) => new Set(list).size === list.length, { error: LIST })
      .meta({ override: { uniqueItems: true } }),
    output: z.array(z.enum(PERMISSIONS)),
    unset: [],
    required: `it ${LIST}`,
  },
  expires_at: {
    ...TIME,
    input: dateTime(),
    meaning: 'The token is valid until then; null for no expiry. Without a zone, UTC.',
  },
};
