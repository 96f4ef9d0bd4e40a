import { dependsOnInput } from '../../monitor-types/input-schemas.ts';
import {
  dependenciesAbove,
  namesOfMonitors,
  type Dependency,
  dependencyChanges,
} from '../../store/resources/dependencies.ts';
import type { Db, Tx } from '../../store/database/contract.ts';
import { Findings, fieldIn } from '../common/input.ts';

/** Error of an entry of `depends_on`. */
export interface DependencyError {
  /** Path of the entry, such as `depends_on.0`. */
  field: string;
  predicate: string;
}

/** Maximum number of monitors that an error text names; longer cycles are cut in the middle. */
const MAX_NAMES = 8;

/** Built once, as a bulk request reads hundreds of bodies. */
const WANTED = dependsOnInput();

/** Ids in the `depends_on` of a body; none when it is invalid. */
export function parentsIn(body: unknown): number[] {
  const given = fieldIn(body, 'depends_on');
  if (given === null) return [];
  const read = WANTED.safeParse(given);
  return read.success ? read.data : [];
}

/**
 * Errors of the monitors that a monitor is to depend on: they must be monitors of the team, and none of them may depend
 * on it, directly or through others.
 *
 * @param monitorId null for a new monitor.
 */
export async function dependencyErrors(
  db: Db,
  teamId: number,
  monitorId: number | null,
  wanted: readonly number[],
): Promise<DependencyError[]> {
  if (wanted.length === 0) return [];
  const known = new Set((await namesOfMonitors(db, teamId, wanted)).map(({ id }) => id));
  const above = monitorId === null ? [] : await dependenciesAbove(db, wanted);
  const errors: DependencyError[] = [];
  for (const [index, id] of wanted.entries()) {
    const field = `depends_on.${index}`;
    const add = (predicate: string) => void errors.push({ field, predicate });
    if (id === monitorId) add('must not be the monitor itself');
    else if (!known.has(id)) add('must be a monitor of your team');
    else if (monitorId !== null) {
      const chain = chainBetween(above, id, monitorId);
      if (chain !== null) add(await cycleError(db, teamId, [monitorId, ...chain]));
    }
  }
  return errors;
}

/**
 * Stores the dependencies of a monitor. Checks them again, with the team locked by the caller, so that two changes at once
 * cannot form a cycle. Throws InvalidInput.
 */
export async function writeDependencies(
  tx: Tx,
  teamId: number,
  monitorId: number,
  wanted: readonly number[],
): Promise<void> {
  if (wanted.length > 0) {
    await dependencyChanges(tx).lockMonitors(teamId, wanted);
    const findings = new Findings();
    for (const { field, predicate } of await dependencyErrors(tx, teamId, monitorId, wanted))
      findings.add(field, predicate);
    findings.throwIfAny();
  }
  await dependencyChanges(tx).set(teamId, monitorId, wanted);
}

/** Shortest chain of dependencies from one monitor to another, both included; null when there is none. */
function chainBetween(above: readonly Dependency[], from: number, to: number): number[] | null {
  const direct = Map.groupBy(above, ({ monitorId }) => monitorId);
  const cameFrom = new Map<number, number | null>([[from, null]]);
  for (const id of cameFrom.keys()) {
    if (id === to) return pathTo(cameFrom, id);
    for (const { dependsOnId } of direct.get(id) ?? []) {
      if (!cameFrom.has(dependsOnId)) cameFrom.set(dependsOnId, id);
    }
  }
  return null;
}

function pathTo(cameFrom: ReadonlyMap<number, number | null>, end: number): number[] {
  const path: number[] = [];
  for (let id: number | null = end; id !== null; id = cameFrom.get(id) ?? null) path.unshift(id);
  return path;
}

async function cycleError(db: Db, teamId: number, chain: readonly number[]): Promise<string> {
  const found = await namesOfMonitors(db, teamId, [...new Set(chain)]);
  const nameOf = new Map(found.map(({ id, name }) => [id, name]));
  const names = chain.map((id) => `"${nameOf.get(id) || id}"`);
  const half = MAX_NAMES / 2;
  const shown =
    names.length > MAX_NAMES ? [...names.slice(0, half), '…', ...names.slice(-half)] : names;
  return `must not form a cycle: ${shown.join(' → ')}`;
}
