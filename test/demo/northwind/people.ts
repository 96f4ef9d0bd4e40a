import type { Role } from '../../../src/identity/caller.ts';

export interface NewMember {
  name: string;
  email: string;
  role: Role;
  timezone: string;
  /** Whether sign-in needs a code of an authenticator. */
  hasSecondFactor: boolean;
  /** Hours since the last sign-in. */
  signedInHoursAgo: number;
}

export const TEAM_NAME = 'Northwind';

/** The members of the team; the first one owns it. */
export const PEOPLE: readonly NewMember[] = [
  {
    name: 'Ada Reyes',
    email: 'ada@northwind.example',
    role: 'owner',
    timezone: 'Europe/Berlin',
    hasSecondFactor: false,
    signedInHoursAgo: 1,
  },
  {
    name: 'Bo Lindqvist',
    email: 'bo@northwind.example',
    role: 'admin',
    timezone: 'Europe/Stockholm',
    hasSecondFactor: true,
    signedInHoursAgo: 3,
  },
  {
    name: 'Chidi Okafor',
    email: 'chidi@northwind.example',
    role: 'editor',
    timezone: 'America/New_York',
    hasSecondFactor: false,
    signedInHoursAgo: 26,
  },
  {
    name: 'Dana Weiss',
    email: 'dana@northwind.example',
    role: 'viewer',
    timezone: 'Europe/Vienna',
    hasSecondFactor: false,
    signedInHoursAgo: 24 * 6,
  },
];

/** Secret of the authenticator of the member who has one: as sign-in stores it, and in base32 as people enter it. */
export const AUTHENTICATOR = {
  secret: 'northwind-demo-second-factor-1234',
  base32: 'NZXXE5DIO5UW4ZBNMRSW23ZNONSWG33OMQWWMYLDORXXELJRGIZTI',
} as const;
