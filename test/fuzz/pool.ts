import { COLLECTIONS } from '../../src/resources/nouns.ts';
import type { CallerName } from './requests.ts';
import type { Existing } from './values.ts';

/** Objects created so far, and their teams. */
export interface Pool {
  /** Returns an existing id, mostly of the caller's own team; 1 if there is none. */
  idOf(existing: Existing, who: CallerName): number;
  /** Adds an object that existed before. */
  know(noun: string, id: number, team: 'ours' | 'theirs'): void;
  /** Adds the objects of a response. */
  learn(who: CallerName, method: string, path: string, status: number, answer: unknown): void;
  /** Faults: objects of another team in a response. */
  foreignIn(who: CallerName, path: string, answer: unknown): string[];
}

/** Fields that hold an id, and the kind of its object. */
const REFERENCES: Record<string, string> = {
  monitor_id: 'monitors',
  incident_id: 'incidents',
  group_id: 'groups',
  parent_id: 'groups',
  existing_group_id: 'groups',
};
/** There are enough of these, and new ones add little. */
const NEVER_LEARNT = new Set(['teams', 'setup']);
/** Paths whose first segment names the objects in `data`. */
const OWNED = [
  'monitors',
  'incidents',
  'corrections',
  'announcements',
  'connected-applications',
  ...COLLECTIONS.map(({ declared: { path } }) => path.slice(1)),
];
/** Last segments of paths whose objects have ids of their own, below those of another kind. */
const BELOW = ['notes', 'updates', 'runs', 'subscribers', 'deliveries', 'ping-aliases'];
/** Older ones were probably deleted. */
const REMEMBERED = 30;

export function createPool(): Pool {
  const owners = new Map<string, 'ours' | 'theirs'>();
  const ids = new Map<string, number[]>();

  /** Adds an object and what it is below at the same place of their lists, so that the same pick finds both. */
  const learnPair: Pool['learn'] = (who, method, path, status, answer) => {
    if (method !== 'POST' || status !== 201) return;
    const [noun = '', of, below = ''] = segmentsOf(path);
    const pair = [
      [`${noun} with ${below}`, Number(of)],
      [`${below} of ${noun}`, (answer as { id: number }).id],
    ] as const;
    for (const [kind, id] of pair) {
      owners.set(`${kind} ${id}`, teamOf(who));
      ids.set(kind, [...(ids.get(kind) ?? []), id].slice(-REMEMBERED));
    }
  };

  return {
    idOf({ existing, pick }, who) {
      const known = ids.get(existing) ?? [];
      const own = known.filter((id) => owners.get(`${existing} ${id}`) === teamOf(who));
      const wanted = pick % 5 === 0 ? known : own;
      return wanted[pick % wanted.length] ?? 1;
    },
    know(noun, id, team) {
      owners.set(`${noun} ${id}`, team);
      ids.set(noun, [...(ids.get(noun) ?? []), id].slice(-REMEMBERED));
    },
    learn(who, method, path, status, answer) {
      if (['updates', 'subscribers', 'ping-aliases'].includes(segmentsOf(path)[2] ?? ''))
        return learnPair(who, method, path, status, answer);
      if (method === 'GET' && path.split('?', 1)[0]!.endsWith('/configuration/sets')) {
        const { data = [] } = (answer ?? {}) as { data?: { id: number }[] };
        for (const { id } of data) owners.set(`sets ${id}`, teamOf(who));
        ids.set(
          'sets',
          [...(ids.get('sets') ?? []), ...data.map(({ id }) => id)].slice(-REMEMBERED),
        );
        return;
      }
      const [noun = '', of] = nounOf(path);
      if (NEVER_LEARNT.has(noun)) return;
      if (method === 'DELETE' && status === 204)
        ids.set(
          noun,
          (ids.get(noun) ?? []).filter((id) => id !== Number(of)),
        );
      if (method !== 'POST' || status !== 201 || typeof answer !== 'object') return;
      const { id } = answer as { id?: number };
      if (id === undefined) return;
      owners.set(`${noun} ${id}`, teamOf(who));
      ids.set(noun, [...(ids.get(noun) ?? []), id].slice(-REMEMBERED));
    },
    foreignIn(who, path, answer) {
      const [noun = '', , sub] = segmentsOf(path);
      const found: [string, number][] = [];
      const isOwn = [...OWNED, ...BELOW].includes(sub ?? '');
      collect(answer, isOwn ? sub! : noun, found);
      return found
        .filter(([kind, id]) => (owners.get(`${kind} ${id}`) ?? teamOf(who)) !== teamOf(who))
        .map(([kind, id]) => `${who} sees ${kind}/${id}, which another team owns.`);
    },
  };
}

/**
 * The kind of object of a path, and its id: `/users/invitations/7` is an invitation, `/monitors/1/corrections/7` a
 * correction, what `/reports/1/runs` makes is a run, and what
 * `/incidents/1/notes` makes a note.
 */
function nounOf(path: string): (string | undefined)[] {
  const [noun, of, ...rest] = segmentsOf(path);
  if (rest[0] === 'corrections') return rest;
  if (rest[0] === 'runs') return ['report-runs'];
  if (rest[0] === 'notes') return ['notes'];
  return noun === 'users' && of === 'invitations' ? [of, ...rest] : [noun, of];
}

/** Below `/api` and the version. */
function segmentsOf(path: string): string[] {
  const [way = ''] = path.split('?', 1);
  return way
    .split('/')
    .filter((segment) => segment !== '' && segment !== 'api' && segment !== 'v1');
}

function teamOf(who: CallerName): 'ours' | 'theirs' {
  return who === 'mallory' ? 'theirs' : 'ours';
}

/** The ids in a response, with the kinds of their objects. */
function collect(node: unknown, noun: string, found: [string, number][]): void {
  if (Array.isArray(node)) for (const one of node) collect(one, noun, found);
  else if (typeof node === 'object' && node !== null) {
    const record = node as Record<string, unknown>;
    if (typeof record['id'] === 'number' && OWNED.includes(noun)) found.push([noun, record['id']]);
    for (const [name, other] of Object.entries(REFERENCES)) {
      if (typeof record[name] === 'number') found.push([other, record[name]]);
    }
    collect(record['data'], noun, found);
    collect(record['incidents'], 'incidents', found);
    collect(record['incident'], 'incidents', found);
    collect(record['monitor'], 'monitors', found);
    collect(record['worst'], 'monitors', found);
  }
}
