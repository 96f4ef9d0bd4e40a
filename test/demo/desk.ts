import { createRegions } from '../../src/model/regions.ts';
import { createAlertLinks } from '../../src/alerting/message/index.ts';
import { ensureOwner } from '../../src/identity/bootstrap.ts';
import { PERMISSIONS, type Caller, type Role } from '../../src/identity/caller.ts';
import { createPasswordQueue, hashPassword, SCRYPT } from '../../src/identity/password.ts';
import { FULL_PLANS } from '../../src/identity/plans.ts';
import { silentLog } from '../../src/lib/log.ts';
import { createSecretBox, type SecretBox } from '../../src/lib/secret-box.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { createLiveFeed } from '../../src/live/feed.ts';
import { createReportLinks } from '../../src/report/links.ts';
import { createServices, type Services } from '../../src/resources/services.ts';
import { createDomains } from '../../src/status-page/domains.ts';
import { createMailQueue } from '../../src/store/alerting/mails.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { accountStore } from '../../src/store/people/accounts.ts';
import { passwordStore } from '../../src/store/people/credentials.ts';
import { peopleStore } from '../../src/store/people/people.ts';
import { teamStore } from '../../src/store/people/teams.ts';
import { INSTALLATION, unreachable } from '../support/api.ts';
import { callOf } from '../support/call.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { checkResult, inspectNothing, REGIONS } from '../support/rounds.ts';
import { REGION_TITLES } from '../support/api.ts';
import type { NewMember } from './northwind/people.ts';

/** The services of the program with a clock of their own, and the members of the team who call them. */
export interface Desk {
  database: Database;
  /** Carries out an operation of the API. @returns its answer. */
  carryOut(
    operation: string,
    caller: Caller,
    given: { id?: number; correction?: number; body?: object },
  ): Promise<{ id: number }>;
  secretBox: SecretBox;
  keys: readonly string[];
  clock: Clock;
  teamId: number;
  /** Sets the clock, epoch milliseconds. */
  goTo(at: number): void;
  /** A member who acts from a browser, by name. */
  as(name: string): Caller;
}

export interface DeskOptions {
  /** The list of SECRET_KEY. */
  keys: readonly string[];
  /** When the team began, epoch milliseconds. */
  since: number;
  team: string;
  /** The first one owns the team. */
  people: readonly NewMember[];
  /** Password of all of them. */
  password: string;
}

/** Public address that links in stored messages have. */
const baseUrl = () => 'http://localhost:3000';

/** Founds the team in an empty database. */
export async function openDesk(database: Database, options: DeskOptions): Promise<Desk> {
  const { keys, since, team, people, password } = options;
  const clock = createFakeClock({ now: since });
  const [owner, ...others] = people as [NewMember, ...NewMember[]];
  const founding = {
    adminEmail: owner.email,
    adminPassword: password,
    teamName: team,
    adminToken: null,
  };
  const { personId: ownerId } = await ensureOwner({ database, clock }, founding);
  const [membership] = await teamStore(database.read).listMemberships(ownerId);
  const teamId = membership!.id;
  const hash = await hashPassword(password);
  const ids = await database.transaction(async (tx) => {
    await accountStore(tx).update(
      ownerId,
      { name: owner.name, timezone: owner.timezone, email_verified: 1 },
      since,
    );
    const joined: number[] = [ownerId];
    for (const { name, email, timezone, role } of others) {
      const id = await peopleStore(tx).insert({ name, email, timezone }, since);
      await passwordStore(tx).set(id, hash, since);
      await accountStore(tx).update(id, { email_verified: 1 }, since);
      await teamStore(tx).insertMember(teamId, id, role, since);
      joined.push(id);
    }
    return joined;
  });
  const secretBox = createSecretBox([...keys]);
  const callers = new Map(
    people.map((person, index) => [person.name, callerOf(person, ids[index]!, teamId, team)]),
  );
  return {
    database,
    carryOut: carrierOf(servicesOf(database, { clock, keys, secretBox })),
    secretBox,
    keys,
    clock,
    teamId,
    goTo: (at) => clock.stepWall(at - clock.now()),
    as: (name) => callers.get(name)!,
  };
}

function callerOf(person: NewMember, id: number, teamId: number, team: string): Caller {
  const { name, email, timezone, role } = person;
  return {
    person: { id, name, email, timezone },
    team: { id: teamId, name: team, slug: team.toLowerCase(), personalTeam: false, plan: null },
    role: role as Role,
    withheld: null,
    permissions: PERMISSIONS,
    credential: { kind: 'session', id: 1, name: 'Session' },
    address: '198.51.100.24',
  };
}

/** Calls operations by their names, as the API does. */
function carrierOf({ routes }: Services): Desk['carryOut'] {
  const byName = new Map(routes.map((route) => [route.name, route]));
  return async (name, caller, { id = 0, correction = 0, body }) => {
    const call = callOf(caller, { id, ids: { correction }, body });
    return ((await byName.get(name)!.handle(call)) ?? {}) as { id: number };
  };
}

function servicesOf(
  database: Database,
  { clock, keys, secretBox }: Pick<Desk, 'clock' | 'keys' | 'secretBox'>,
): Services {
  return createServices({
    database,
    clock,
    secretBox,
    keys,
    baseUrl,
    live: createLiveFeed({ database, clock, log: silentLog }),
    bus: {
      check: async () => checkResult('up'),
      inspect: inspectNothing,
      lastSeen: () => clock.now(),
      vantageOf: (region) => `probe-${region}`,
      probesOf: () => [],
    },
    wakeScheduler: () => {},
    forget: () => {},
    plans: FULL_PLANS,
    spendCheck: async () => {},
    openSignup: false,
    passwords: createPasswordQueue(SCRYPT),
    mailQueue: createMailQueue({ secretBox, keys, isConfigured: true, openSignup: false }),
    defaults: { regions: REGIONS, checkInterval: null },
    regions: createRegions(REGIONS.map((code, index) => ({ code, title: REGION_TITLES[index]! }))),
    targetRule: () => null,
    allowHttpWebhooks: false,
    channelTools: unreachable(clock.now),
    alertLinks: createAlertLinks({ keys, baseUrl }),
    reportLinks: createReportLinks({ keys, baseUrl }),
    domains: createDomains({ database, clock, log: silentLog, lookUp: async () => [], baseUrl }),
    signInOffer: () => ({ providers: [], openSignup: false, canReset: false }),
    version: '0.0.0',
    installation: async () => INSTALLATION,
  });
}
