import type { CallerName } from './requests.ts';
import type { Existing } from './values.ts';

/** What was created so far, and whose it is. */
export interface Pool {
  /** The id of something that exists, most often of the caller's own team; 1 where there is none. */
  idOf(existing: Existing, who: CallerName): number;
  /** Remembers something that was there before. */
  know(noun: string, id: number, team: 'ours' | 'theirs'): void;
  /** Remembers what an answer says of things. */
  learn(who: CallerName, method: string, path: string, status: number, answer: unknown): void;
  /** Sentences about things of another team in an answer. */
  foreignIn(who: CallerName, path: string, answer: unknown): string[];
}

/** Fields that hold the id of something, and of what. */
const REFERENCES: Record<string, string> = {
  monitor_id: 'monitors',
  group_id: 'groups',
  parent_id: 'groups',
  existing_group_id: 'groups',
};
/** Of these there are enough, and who acts on a new one does little for the rest. */
const NEVER_LEARNT = new Set(['teams', 'setup']);
/** Their first segment names what is in `data`. */
const OWNED = [
  'monitors',
  'groups',
  'incidents',
  'alert-channels',
  'alert-routes',
  'maintenance-windows',
];
/** Older ones are gone, most likely. */
const REMEMBERED = 30;

export function createPool(): Pool {
  const owners = new Map<string, 'ours' | 'theirs'>();
  const ids = new Map<string, number[]>();

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
      collect(answer, OWNED.includes(sub ?? '') ? sub! : noun, found);
      return found
        .filter(([kind, id]) => (owners.get(`${kind} ${id}`) ?? teamOf(who)) !== teamOf(who))
        .map(([kind, id]) => `${who} sees ${kind}/${id}, which another team owns.`);
    },
  };
}

/** What a path is about, and the id in it: `/users/invitations/7` is about an invitation. */
function nounOf(path: string): (string | undefined)[] {
  const [noun, of, ...rest] = segmentsOf(path);
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

/** The ids in an answer, with what they are of. */
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
  }
}
