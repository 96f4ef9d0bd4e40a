import { createHash } from 'node:crypto';
import { cut } from '../../lib/text.ts';
import { spendingOfAudit } from '../../model/budgets.ts';
import { BudgetExceeded, spendBudgets } from '../../store/people/budgets.ts';
import { SECRET_FIELDS } from '../../monitor-types/settings.ts';
import type { AuditActor, AuditEntry } from '../../model/audit.ts';
import { auditLog } from '../../store/resources/audit.ts';
import type { Db, Tx } from '../../store/database/contract.ts';
import { MASK } from '../../lib/secret-box.ts';
import { AUDITED_WEBHOOK_SECRETS } from '../webhooks/fields.ts';

/** Change of something, with its fields as the API shows them; secrets are masked when it is recorded. */
export type AuditChange = Pick<AuditEntry, 'verb' | 'target'> & {
  /** By default the team of the caller. */
  teamId?: number | null;
  /** Left out for something new. */
  before?: object;
  /** Left out for something deleted. */
  after?: object;
};

/** Fields whose values are masked. */
const SECRETS = new Set<string>([
  ...SECRET_FIELDS,
  'ping_url',
  'token',
  'password',
  'secret',
  ...AUDITED_WEBHOOK_SECRETS,
]);
/** Maximum length of the JSON of a value that is recorded whole: settings of checks and CSS may have 32 KiB. */
const MAX_VALUE_LENGTH = 1_000;
/** Characters of a longer one. */
const KEPT_LENGTH = 400;
/** Changes that take no more are recorded whole, whatever else the team recorded that day. */
const UNCOUNTED_BYTES = 512;
const NOT_RECORDED = 'not recorded: the team changed too much in a day';

/** Fields that are left out. */
const NOISE = new Set(['updated_at', 'created_at']);

/** Records a change by an actor, in its transaction. An update that changes nothing is not recorded. */
export function auditAs(
  tx: Db,
  actor: AuditActor,
  change: AuditChange & { teamId: number | null },
  now: number,
): Promise<void> {
  return auditAllAs(tx, actor, [change], now);
}

/** Records changes by an actor, each as an entry of its own. */
export async function auditAllAs(
  tx: Db,
  actor: AuditActor,
  changes: readonly (AuditChange & { teamId: number | null })[],
  now: number,
): Promise<void> {
  const entries = changes.map((change) => entryOf(actor, change));
  await store(
    tx,
    entries.filter((entry) => entry !== null),
    now,
  );
}

/** Stores entries. Of those for which the budget of their team does not suffice, the names of the fields alone. */
async function store(tx: Db, entries: readonly AuditEntry[], now: number) {
  const fitting: AuditEntry[] = [];
  for (const [teamId, ofTeam] of Map.groupBy(entries, (entry) => entry.teamId)) {
    const bytes = ofTeam.map(bytesOf).filter((size) => size > UNCOUNTED_BYTES);
    const count = bytes.reduce((sum, size) => sum + size, 0);
    const isWithin = teamId === null || count === 0 || (await spend(tx, teamId, count, now));
    fitting.push(...(isWithin ? ofTeam : ofTeam.map(namesOnly)));
  }
  await auditLog(tx).insertAll(fitting, now);
}

/** @returns false when the budget is used up. */
async function spend(tx: Db, teamId: number, bytes: number, now: number) {
  try {
    await spendBudgets(tx as Tx, [spendingOfAudit(teamId, bytes)], now);
    return true;
  } catch (error) {
    if (error instanceof BudgetExceeded) return false;
    throw error;
  }
}

function bytesOf({ before, after }: AuditEntry): number {
  return Buffer.byteLength(JSON.stringify([before, after]));
}

function namesOnly(entry: AuditEntry): AuditEntry {
  return bytesOf(entry) <= UNCOUNTED_BYTES
    ? entry
    : { ...entry, before: namesOf(entry.before), after: namesOf(entry.after) };
}

function namesOf(fields: object | null | undefined): Record<string, unknown> | null {
  if (fields == null) return null;
  return Object.fromEntries(Object.keys(fields).map((name) => [name, NOT_RECORDED]));
}

/** Null for an update that changes nothing. */
function entryOf(actor: AuditActor, change: AuditChange & { teamId: number | null }) {
  const { before, after } = differenceOf(change.before, change.after);
  if (change.verb === 'updated' && isEmpty(before) && isEmpty(after)) return null;
  return { ...change, actor, before, after };
}

/**
 * Fields that differ; for something new or deleted, all fields that have a value. A secret that is set becomes eight
 * bullets, on both sides if it was replaced.
 */
export function differenceOf(before: object | undefined, after: object | undefined) {
  return {
    before: before === undefined ? null : keep(before, after),
    after: after === undefined ? null : keep(after, before),
  };
}

function keep(fields: object, others: object | undefined): Record<string, unknown> {
  const kept = Object.entries(fields)
    .filter(([name, value]) => !NOISE.has(name) && differs(others, name, value))
    .map(([name, value]) => [name, SECRETS.has(name) && value !== null ? MASK : shortened(value)]);
  return Object.fromEntries(kept);
}

/** A value that takes much room as the beginning of its JSON, with its length and a digest by which it is compared. */
function shortened(value: unknown): unknown {
  const json = JSON.stringify(value) ?? '';
  if (json.length <= MAX_VALUE_LENGTH) return value;
  const digest = createHash('sha256').update(json).digest('hex').slice(0, 16);
  return `${cut(json, KEPT_LENGTH)} [${json.length} characters, sha256 ${digest}]`;
}

function differs(others: object | undefined, name: string, value: unknown): boolean {
  // Undefined is a stored secret that no key can decrypt.
  if (others === undefined) return value !== null && (value !== undefined || SECRETS.has(name));
  return JSON.stringify((others as Record<string, unknown>)[name]) !== JSON.stringify(value);
}

function isEmpty(fields: object | null): boolean {
  return fields !== null && Object.keys(fields).length === 0;
}
