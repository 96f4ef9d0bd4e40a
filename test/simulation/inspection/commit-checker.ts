import type { Transaction } from 'kysely';
import type { Bus } from '../../../src/engine/bus/contract.ts';
import type { Clock } from '../../../src/lib/clock.ts';
import type {
  DnsFacts,
  FactsOf,
  InspectionKind,
  InspectionRequest,
  InspectionResult,
} from '../../../src/model/inspection.ts';
import type { Schema } from '../../../src/store/database/contract.ts';
import type { ProcessInstance } from '../process-instance.ts';
import type { Statement } from '../crashable-database.ts';
import type { Operator } from '../operator.ts';
import { HTTPS_PORT, inspectedName, inspectionsOf } from '../scenario.ts';
import type { Scenario } from '../scenario.ts';
import type { ExpectedChange, ReferenceModel } from '../reference-model.ts';
import type { Story } from '../story.ts';
import { timeOf } from '../story.ts';
import { findingOf } from './findings.ts';

/** One inspection that a process requested. */
export interface SeenInspection {
  instance: ProcessInstance;
  kind: InspectionKind;
  /** Its target as stored. */
  target: string;
  /** Milliseconds since the world began. */
  at: number;
  /** Null while in flight, then the result and the wall time at which it arrived (epoch ms). */
  answer: { result: InspectionResult; wall: number } | null;
  /** Whether it was recorded or superseded. */
  isOver: boolean;
}

/** What a transaction on one inspection is about to leave. */
export type ObservedInspection = NonNullable<Awaited<ReturnType<typeof observeInspection>>>;

const HOLDING = /^select [^*]* from "inspection" where \(?"kind" = \? and "target" = \?/;

/** Returns null for other transactions. */
export async function observeInspection(tx: Transaction<Schema>, statements: readonly Statement[]) {
  const claimed = claimedBy(statements);
  const held = statements.find(({ sql }) => HOLDING.test(sql));
  if (held === undefined) return claimed.length === 0 ? null : { claimed, about: null };
  const [kind, target] = held.parameters as [InspectionKind, string];
  const isEnded = statements.some(({ sql }) => /^(update|delete from) "inspection"/.test(sql));
  const about = {
    kind,
    target,
    // A process whose claim is another's by then locks the states, too, and leaves everything as it is.
    isJudged: isEnded && statements.some(({ sql }) => /from "monitor_state"/.test(sql)),
    isEnded,
    known: await tx
      .selectFrom('inspection')
      .select('facts')
      .where('kind', '=', kind)
      .where('target', '=', target)
      .executeTakeFirst(),
    monitors: await tx
      .selectFrom('monitor_inspection as assigned')
      .innerJoin('monitor', 'monitor.id', 'assigned.monitor_id')
      .select([
        'monitor.id',
        'monitor.revision',
        'monitor.ssl_expiry_threshold as sslExpiryThreshold',
        'monitor.domain_expiry_threshold as domainExpiryThreshold',
      ])
      .where('assigned.kind', '=', kind)
      .where('assigned.target', '=', target)
      .where('monitor.is_paused', '=', 0)
      .where('monitor.deleted_at', 'is', null)
      .execute(),
  };
  return { claimed, about };
}

/** Inspections that this transaction claims, as kind and target. */
function claimedBy(statements: readonly Statement[]): [string, string][] {
  const claim = statements.find(({ sql }) => /update inspection set claim = claim \+ 1/.test(sql));
  const keys = claim?.parameters.find((one) => typeof one === 'string' && one.startsWith('['));
  return keys === undefined ? [] : (JSON.parse(keys as string) as [string, string][]);
}

export interface InspectionCheckerOptions {
  scenario: Scenario;
  clock: Clock;
  operator: Operator;
  story: Story;
  referenceOf(monitorId: number): ReferenceModel;
  violate(rule: string): void;
}

export interface InspectionChecker {
  readonly inspections: readonly SeenInspection[];
  /** The bus of one process instance; closing it ends the inspections in flight. */
  busOf(bus: Bus, instance: ProcessInstance): Pick<Bus, 'inspect' | 'close'>;
  /** The changes that a commit should make to each monitor. */
  committed(seen: ObservedInspection, instance: ProcessInstance): Map<number, ExpectedChange[]>;
  /** The monitors for which this commit should report changed records. */
  expectedNotices(seen: ObservedInspection, instance: ProcessInstance): number[];
}

/** Time between the commit of an edit and its return to the operator. */
const GRACE_MS = 100;

export function createInspectionChecker(options: InspectionCheckerOptions): InspectionChecker {
  const { scenario, clock, operator, story, violate } = options;
  const inspections: SeenInspection[] = [];
  /** Time of the last claim by kind and target, epoch milliseconds. */
  const claimedAt = new Map<string, number>();
  /** The newest stored facts by kind and target. */
  const facts = new Map<string, string>();

  const newest = (instance: ProcessInstance, kind: string, target: string) =>
    inspections.findLast(
      (one) => one.instance === instance && one.kind === kind && one.target === target,
    );

  function begin(instance: ProcessInstance, request: InspectionRequest): SeenInspection {
    const { kind } = request;
    const target = targetOf(request);
    const at = clock.monotonic();
    const one: SeenInspection = { instance, kind, target, at, answer: null, isOver: false };
    if (newest(instance, kind, target)?.at === at)
      violate(`${kind} of ${target} is inspected twice`);
    inspections.push(one);
    const isWanted = [...operator.monitors.values()].some(({ eras }) =>
      eras.some((era, index) => {
        const until = eras[index + 1]?.from ?? Infinity;
        const isNow = at >= era.from && at <= until + GRACE_MS;
        if (!isNow || era.isPaused || era.isDeleted) return false;
        const isOn = inspectionsOf(era.settings).includes(kind);
        return isOn && inspectedName(scenario, era.settings, kind) === target;
      }),
    );
    if (!isWanted) violate(`${kind} of ${target} is inspected, but no running monitor needs it`);
    return one;
  }

  /** The result that a commit evaluated: the newest one, or for a registration the stored facts. */
  function evaluatedResult({ about }: ObservedInspection, instance: ProcessInstance) {
    const { kind, target } = about!;
    const last = newest(instance, kind, target);
    if (last?.answer && !last.isOver) {
      const { result, wall } = last.answer;
      return { result, at: last.answer.wall, now: wall };
    }
    const known = facts.get(`${kind} ${target}`);
    if (kind !== 'domain' || known === undefined) return null;
    const result: InspectionResult = {
      state: 'known',
      facts: JSON.parse(known) as FactsOf['domain'],
    };
    const at = claimedAt.get(`${kind} ${target}`) ?? instance.now();
    return { result, at, now: at };
  }

  return {
    inspections,
    busOf(bus, instance) {
      const closed = Promise.withResolvers<void>();
      return {
        async inspect<Request extends InspectionRequest>(request: Request) {
          const one = begin(instance, request);
          const aborted = closed.promise.then(() => STOPPED);
          const result = await Promise.race([bus.inspect(request), aborted]);
          // A frozen process sees the result when it resumes.
          if (instance.frozen()) await instance.frozen();
          one.answer = { result, wall: instance.now() };
          story.add(`${one.kind} of ${one.target} since ${timeOf(one.at)}: ${summaryOf(result)}`);
          return result;
        },
        close: async () => closed.resolve(),
      };
    },
    committed(seen, instance) {
      const changes = new Map<number, ExpectedChange[]>();
      for (const [kind, target] of seen.claimed) {
        const before = newest(instance, kind, target);
        if (before) before.isOver = true;
        claimedAt.set(`${kind} ${target}`, instance.now());
      }
      if (seen.about === null) return changes;
      const { kind, target, isJudged, isEnded, known, monitors } = seen.about;
      if (isJudged) {
        const look = evaluatedResult(seen, instance);
        if (look === null) violate(`${kind} of ${target} was evaluated without an inspection`);
        else {
          for (const { id, revision, ...allowances } of monitors) {
            const finding = findingOf(kind, look.result, allowances, look.now);
            story.add(`monitor ${id}: ${kind} of ${target} is ${finding}`);
            changes.set(
              id,
              options.referenceOf(id).inspect({ kind, target, finding, at: look.at, revision }),
            );
          }
        }
      }
      if (!isEnded) return changes;
      const last = newest(instance, kind, target);
      if (last?.answer) last.isOver = true;
      if (known?.facts) facts.set(`${kind} ${target}`, known.facts);
      else facts.delete(`${kind} ${target}`);
      return changes;
    },
    expectedNotices(seen, instance) {
      if (seen.about === null || seen.about.kind !== 'dns') return [];
      const { kind, target, monitors } = seen.about;
      const before = facts.get(`${kind} ${target}`);
      const result = evaluatedResult(seen, instance)?.result;
      if (result?.state !== 'known' || before === undefined) return [];
      const isSame = addressesOf(JSON.parse(before)) === addressesOf(result.facts);
      return isSame ? [] : monitors.map(({ id }) => id);
    },
  };
}

function addressesOf(facts: unknown): string {
  return (facts as DnsFacts).records.A.join();
}

const STOPPED = { state: 'unknown', reason: 'The service stopped before its end' } as const;

function targetOf(request: InspectionRequest): string {
  if (request.kind === 'domain') return request.domain;
  return request.kind === 'dns' ? request.host : `${request.host}:${HTTPS_PORT}`;
}

function summaryOf(result: InspectionResult): string {
  if (result.state !== 'known') return result.state;
  const { facts } = result;
  if ('records' in facts) return facts.records.A.join();
  if ('certificate' in facts) {
    const { validTo } = facts.certificate;
    return `until ${new Date(validTo).toISOString()}${facts.fault ? `, ${facts.fault.code}` : ''}`;
  }
  const until = facts.expiresAt === null ? 'whenever' : new Date(facts.expiresAt).toISOString();
  return `until ${until}, ${facts.statuses.join()}`;
}
