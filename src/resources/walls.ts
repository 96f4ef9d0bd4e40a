import { findRow } from '../store/database/rows.ts';
import { z } from 'zod';
import type { Caller } from '../identity/caller.ts';
import { createTokenSigner } from '../lib/derived-key.ts';
import { nameText } from '../lib/schemas.ts';
import { hostOf } from '../lib/url-host.ts';
import { MONITOR_STATUSES } from '../model/monitor.ts';
import { teamStore } from '../store/people/teams.ts';
import { collection, type CollectionDeps } from './common/collection.ts';
import { Problem } from './common/errors.ts';
import { fieldTable } from './common/fields.ts';
import { readQuery } from './common/input.ts';
import { noun, type Call } from './common/operation.ts';
import type { Prepared } from './common/prepared.ts';
import { getMonitorOverview } from './overview/monitor-overview.ts';

interface LinkDeps {
  /** The list of SECRET_KEY. */
  keys: readonly string[];
  baseUrl: () => string;
}

type WallDeps = CollectionDeps & LinkDeps;

const ID_BYTES = 6;

/** Signs and reads the links of walls. Ids of walls are never used again, so a deleted wall ends its link. */
export function wallLinks({ keys, baseUrl }: LinkDeps) {
  const signer = createTokenSigner({ keys, purpose: 'tocsin wall v1', contentBytes: ID_BYTES });
  return {
    urlOf(id: number): string {
      const content = Buffer.alloc(ID_BYTES);
      content.writeUIntBE(id, 0, ID_BYTES);
      return `${baseUrl()}/wall?token=${signer.sign(content)}`;
    },
    read: (token: string) => signer.verify(token)?.readUIntBE(0, ID_BYTES) ?? null,
  };
}

/** Screens that show how the monitors are, by a link without signing in (contract 62). */
export const walls = collection({
  noun: 'wall',
  tag: 'Overview',
  path: '/walls',
  table: 'wall',
  meaning: 'A screen that shows how the monitors of the team are.',
  order: ['name'],
  most: 20,
  fields: fieldTable({
    name: { input: nameText(100), unset: '', required: 'it tells where the screen is' },
  }),
  says: {
    create:
      'Everybody who has its `url` sees names, groups and statuses of all monitors, without signing in.',
    delete: 'Its link ends at once.',
  },
  example: { name: 'Office, 2nd floor' },
  change: { name: 'Office' },
  more: {
    shape: { url: z.string().meta({ description: 'The link that the screen opens.' }) },
    example: { url: 'https://up.example.com/wall?token=AAAAAAABR3tyDa7Mu0-djiGhjA2TMw' },
    view: (rows, { deps }: { deps: WallDeps }) =>
      rows.map(({ id }) => ({ url: wallLinks(deps).urlOf(id) })),
  },
});

const query = z.object({
  token: z
    .string({ error: 'must be text' })
    .optional()
    .meta({ description: 'Of the link of a wall.' }),
});

const shownMonitor = z.object({
  id: z.int(),
  name: z.string(),
  group_id: z.int().optional().meta({ description: 'Absent without a group.' }),
  status: z.enum(MONITOR_STATUSES),
  since: z.int().meta({ description: 'Since when it has its status, in Unix seconds.' }),
  is_paused: z.literal(true).optional(),
  observed_until: z.int().optional().meta({ description: 'As in the overview of monitors.' }),
  maintenance_until: z.int().optional(),
});

const wallView = z
  .object({
    name: z.string(),
    team: z.string(),
    generated_at: z.iso.datetime(),
    groups: z.array(z.object({ id: z.int(), name: z.string() })),
    monitors: z.array(shownMonitor),
  })
  .meta({ id: 'WallView', description: 'What a wall shows.' });

type Shown = Pick<z.output<typeof wallView>, 'generated_at' | 'groups' | 'monitors'>;
type Overview = Omit<Shown, 'monitors'> & {
  monitors: (Shown['monitors'][number] & { target?: string })[];
};

/** A monitor that has no name has its target for one, which may hold a secret: its host stands for it, as on a status page. */
function shownName({ id, name, target }: Overview['monitors'][number]): string {
  return name === target ? (hostOf(target) ?? `#${id}`) : name;
}

/** What a wall shows of the list of monitors. */
function shownOf(overview: Prepared): Shown {
  const { generated_at, groups, monitors } = JSON.parse(overview.plain.toString()) as Overview;
  return {
    generated_at,
    groups: groups.map(({ id, name }) => ({ id, name })),
    monitors: monitors.map((one) => shownMonitor.parse({ ...one, name: shownName(one) })),
  };
}

/** What everybody sees who has the link of a wall: the names and statuses of the list of monitors, and nothing else of it. */
function createGetWallView(deps: LinkDeps & Parameters<typeof getMonitorOverview.create>[0]) {
  const { database } = deps;
  const { read } = wallLinks(deps);
  const overview = getMonitorOverview.create(deps);
  // Anybody who has a link may ask as often as they like: a list is read once.
  const known = new WeakMap<Prepared, Shown>();
  return async ({ query: given }: Call) => {
    const id = read(readQuery(query, given).token ?? '');
    const wall =
      id === null ? undefined : await findRow(database.read, 'wall', { id }, ['name', 'team_id']);
    if (wall === undefined)
      throw new Problem(
        'not_found',
        'This link shows no wall: it has ended, or a part of it is missing.',
      );
    const caller = { team: { id: wall.team_id } } as Caller;
    const answer = (await overview({ caller } as Call)) as Prepared;
    const shown = known.get(answer) ?? shownOf(answer);
    known.set(answer, shown);
    const team = await teamStore(database.read).nameOf(wall.team_id);
    return { name: wall.name, team, ...shown };
  };
}

export const getWallView = noun('Overview', createGetWallView, {
  getWallView: {
    at: 'GET /wall',
    needs: 'nobody',
    summary: 'Get what a wall shows',
    description: 'For the page `/wall`, which asks every 10 seconds. A link that was ended is 404.',
    query,
    answer: wallView,
    example: {
      query: 'token=AAAAAAABR3tyDa7Mu0-djiGhjA2TMw',
      answer: {
        name: 'Office, 2nd floor',
        team: 'My team',
        generated_at: '2030-01-01T00:00:00.000Z',
        groups: [],
        monitors: [
          {
            id: 1,
            name: 'Sign-in page',
            status: 'pending',
            since: 1_893_456_000,
            maintenance_until: 1_893_459_600,
          },
        ],
      },
    },
    refusals: ['not_found'],
  },
});
