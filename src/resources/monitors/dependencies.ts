import type { Kysely, Transaction } from 'kysely';
import { dependsOnInput } from '../../monitor-types/input-schemas.ts';
import {
  dependenciesAbove,
  lockMonitors,
  namesOfMonitors,
  setDependencies,
  type Dependency,
} from '../../store/resources/dependencies.ts';
import type { Schema } from '../../store/database/schema.ts';
import { Findings } from '../common/input.ts';

/** What is wrong with one of the monitors that another one is to depend on. */
export interface DependencyFault {
  /** Such as `depends_on.0`. */
  field: string;
  predicate: string;
}

/** Longer chains are cut in the middle when they are told. */
const MOST_TOLD = 8;

/** The monitors that a body says it depends on; none where that is not what it should be. */
export function parentsIn(body: unknown): number[] {
  const given =
    typeof body === 'object' && body !== null && 'depends_on' in body ? body.depends_on : null;
  const read = dependsOnInput().safeParse(given);
  return read.success ? read.data : [];
}

/**
 * Whether a monitor can depend on these: they are monitors of the team, and none of them depends on it, through however
 * many others.
 *
 * @param monitorId null for a new monitor, on which nothing can depend yet.
 */
export async function dependencyJudge(
  db: Kysely<Schema>,
  teamId: number,
  monitorId: number | null,
  wanted: readonly number[],
): Promise<DependencyFault[]> {
  if (wanted.length === 0) return [];
  const known = new Set((await namesOfMonitors(db, teamId, wanted)).map(({ id }) => id));
  const above = monitorId === null ? [] : await dependenciesAbove(db, wanted);
  const faults: DependencyFault[] = [];
  for (const [index, id] of wanted.entries()) {
    const field = `depends_on.${index}`;
    const fault = (predicate: string) => void faults.push({ field, predicate });
    if (id === monitorId) fault('must not be the monitor itself');
    else if (!known.has(id)) fault('must be a monitor of your team');
    else if (monitorId !== null) {
      const chain = chainBetween(above, id, monitorId);
      if (chain !== null) fault(await circle(db, teamId, [monitorId, ...chain]));
    }
  }
  return faults;
}

/**
 * Makes a monitor depend on these and on no others. The team must be locked, so that two at once can't close a circle;
 * what the judge said before may not hold any more, so it is asked again. Throws InvalidInput.
 */
export async function writeDependencies(
  tx: Transaction<Schema>,
  teamId: number,
  monitorId: number,
  wanted: readonly number[],
): Promise<void> {
  if (wanted.length > 0) {
    await lockMonitors(tx, teamId, wanted);
    const findings = new Findings();
    for (const { field, predicate } of await dependencyJudge(tx, teamId, monitorId, wanted))
      findings.add(field, predicate);
    findings.throwIfAny();
  }
  await setDependencies(tx, teamId, monitorId, wanted);
}

/** The shortest way up from one monitor to another one, both included; null when there is none. */
function chainBetween(above: readonly Dependency[], from: number, to: number): number[] | null {
  const direct = Map.groupBy(above, ({ monitorId }) => monitorId);
  const cameFrom = new Map<number, number | null>([[from, null]]);
  for (const id of cameFrom.keys()) {
    if (id === to) return wayBack(cameFrom, id);
    for (const { dependsOnId } of direct.get(id) ?? []) {
      if (!cameFrom.has(dependsOnId)) cameFrom.set(dependsOnId, id);
    }
  }
  return null;
}

function wayBack(cameFrom: ReadonlyMap<number, number | null>, end: number): number[] {
  const way: number[] = [];
  for (let id: number | null = end; id !== null; id = cameFrom.get(id) ?? null) way.unshift(id);
  return way;
}

async function circle(
  db: Kysely<Schema>,
  teamId: number,
  chain: readonly number[],
): Promise<string> {
  const found = await namesOfMonitors(db, teamId, [...new Set(chain)]);
  const nameOf = new Map(found.map(({ id, name }) => [id, name]));
  const names = chain.map((id) => `"${nameOf.get(id) || id}"`);
  const half = MOST_TOLD / 2;
  const told =
    names.length > MOST_TOLD ? [...names.slice(0, half), '…', ...names.slice(-half)] : names;
  return `must not close a circle: ${told.join(' → ')}`;
}
