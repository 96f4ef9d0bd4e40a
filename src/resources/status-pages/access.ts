import { z } from 'zod';
import { PASSWORD_LENGTH } from '../../identity/password.ts';
import { oneOf, settingsObject } from '../../lib/schemas.ts';
import { MASK } from '../../lib/secret-box.ts';
import { isCidr } from '../../net/address-guard.ts';
import { ACCESS_TYPES, type AccessType } from '../../status-page/facts/model.ts';
import type { StatusPageRow } from '../../store/resources/status-pages.ts';
import { UNKNOWN_SECRET } from '../common/fields.ts';
import type { Findings } from '../common/input.ts';

const MAX_ADDRESSES = 100;

/** Who may see a page. */
export interface PageAccess {
  type: AccessType;
  /** Hash; null without a password. */
  password: string | null;
  /** CIDR blocks or single addresses. */
  addresses: string[];
}

export const PUBLIC: PageAccess = { type: 'public', password: null, addresses: [] };

const MEANING =
  'Who sees the page and everything below it: everybody, those who know the password, signed-in members of the team, or clients at these addresses. Keys that are left out stay as they are.';

/** The `access` key of a request. */
export function accessInput() {
  return settingsObject(
    {
      type: oneOf(ACCESS_TYPES).nullish(),
      password: password()
        .nullish()
        .meta({
          description: `${PASSWORD_LENGTH.minimum} to ${PASSWORD_LENGTH.maximum} characters. Never shown again; eight bullets keep it.`,
        }),
      addresses: addresses().nullish(),
      password_set: z.boolean().nullish().meta({ description: 'As in answers; not read.' }),
    },
    'must be an object',
  ).meta({ description: MEANING });
}

export type AccessInput = z.output<ReturnType<typeof accessInput>>;

/** The `access` key of answers. */
export const accessOutput = z
  .object({
    type: z.enum(ACCESS_TYPES),
    addresses: z.array(z.string()),
    password_set: z.boolean(),
  })
  .meta({ description: 'Who sees the page. The password is never shown.' });

/** The password to hash; null where none was sent. */
export function newPassword(input: AccessInput | null | undefined): string | null {
  const { password: sent } = input ?? {};
  return sent == null || sent === MASK ? null : sent;
}

/**
 * The access that a request asks for. Null restores that of a new page.
 *
 * @param hash of the password that was sent; null where none was.
 */
export function accessAfter(
  stored: PageAccess | null,
  input: AccessInput | null | undefined,
  hash: string | null,
  findings: Findings,
): PageAccess {
  const former = stored ?? PUBLIC;
  if (input === undefined) return former;
  if (input === null) return PUBLIC;
  if (input.password === MASK && former.password === null)
    findings.add('access.password', UNKNOWN_SECRET);
  const access: PageAccess = {
    type: input.type === undefined ? former.type : (input.type ?? PUBLIC.type),
    password: input.password === null ? null : (hash ?? former.password),
    addresses: input.addresses === undefined ? former.addresses : (input.addresses ?? []),
  };
  if (access.type === 'password' && access.password === null && newPassword(input) === null)
    findings.add('access.password', 'is required with type password: send one');
  if (access.type === 'addresses' && access.addresses.length === 0)
    findings.add('access.addresses', 'must name at least one address with type addresses');
  return access;
}

export function accessOf(row: StatusPageRow): PageAccess {
  return {
    type: row.access_type as AccessType,
    password: row.access_password,
    addresses: JSON.parse(row.access_addresses) as string[],
  };
}

export function accessColumns({ type, password: hash, addresses: list }: PageAccess) {
  return {
    access_type: type,
    access_password: hash,
    access_addresses: JSON.stringify(list),
  };
}

export function viewAccess({ type, password: hash, addresses: list }: PageAccess) {
  return { type, addresses: list, password_set: hash !== null };
}

function password() {
  const { minimum, maximum } = PASSWORD_LENGTH;
  const error = `must have ${minimum} to ${maximum} characters`;
  return z
    .string({ error })
    .refine((value) => value.isWellFormed() && !value.includes('\0'), {
      error: 'must not hold a NUL character or half a character',
    })
    .refine((value) => [...value].length >= minimum && [...value].length <= maximum, { error })
    .meta({ override: { minLength: minimum, maxLength: maximum } });
}

function addresses() {
  const error = `must be a list of at most ${MAX_ADDRESSES} addresses or CIDR blocks, such as 203.0.113.0/24`;
  const block = z
    .string({ error: 'must be an address or a CIDR block, such as 203.0.113.0/24' })
    .refine(isCidr, { error: 'must be an address or a CIDR block, such as 203.0.113.0/24' });
  return z.array(block, { error }).max(MAX_ADDRESSES, { error });
}
