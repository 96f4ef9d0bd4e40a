import { NO_PRIVATE_REGIONS } from './regions.ts';
import type { Bus } from '../../src/engine/bus/contract.ts';
import { createInspector } from '../../src/engine/inspect/inspector.ts';
import type { CheckResult } from '../../src/model/check.ts';
import type { AnyRequest } from '../../src/monitor-types/registry.ts';
import type { FactsOf, InspectionKind, InspectionResult } from '../../src/model/inspection.ts';
import { evaluateContent, failureOf } from '../../src/probe/content/evaluate.ts';
import { openLine, SECOND, type Json, type Line } from './client.ts';
import { throwingLog } from './engine-harness.ts';
import { checkResult } from './rounds.ts';

/** The engine and API with the real inspector, whose findings the test scripts. */
export interface InspectedLine extends Line {
  /** Sets the results of inspections by kind; the others are unknown. */
  find(found: Partial<{ [Kind in InspectionKind]: InspectionResult<Kind> }>): void;
  /** Inspections that were requested since the last call, such as `ssl www.example.com:443`. */
  asked(): string[];
  /** Makes the target of the monitor serve that page in these regions, and the previous one in others. */
  show(id: number, page: string, regions?: readonly string[]): void;
  /** Advances the clock until the monitor has an open incident of that type. */
  untilOpen(id: number, type: string): Promise<Json>;
  /** Type, severity and state of its incidents, oldest first. */
  told(id: number): Promise<string[]>;
  /** Names of all events so far. */
  events(): Promise<string[]>;
  /** The activity log of an incident. */
  log(incidentId: number): Promise<string[]>;
  close(): Promise<void>;
}

export const known = <Kind extends InspectionKind>(
  facts: FactsOf[Kind],
): InspectionResult<Kind> => ({ state: 'known', facts });

/** Time in which an expected incident must open. */
const PATIENCE_MS = 3_600_000;

export async function openInspectedLine(): Promise<InspectedLine> {
  let found: Partial<Record<InspectionKind, InspectionResult>> = {};
  const asked: string[] = [];
  const inspect = (async (request) => {
    const host = request.kind === 'domain' ? request.domain : request.host;
    asked.push(`${request.kind} ${host}${request.kind === 'ssl' ? `:${request.port}` : ''}`);
    return found[request.kind] ?? { state: 'unknown', reason: 'The test says nothing of it' };
    // The script returns a result of the requested kind.
  }) as Bus['inspect'];
  const line = await openLine(inspect);
  const { database, clock, targets } = line.harness;
  const inspector = createInspector({
    database,
    bus: { inspect },
    regions: NO_PRIVATE_REGIONS,
    clock,
    log: throwingLog,
  });
  inspector.start();

  const told = async (id: number) => {
    const incidents = await line.incidentsOf(id, 'per_page=100');
    return incidents
      .toSorted((one, other) => one.id - other.id)
      .map(({ type, severity, status }) => `${type} ${severity} ${status}`);
  };

  return {
    ...line,
    find: (next) => void (found = next),
    asked: () => asked.splice(0),
    show(id, page, regions) {
      const before = targets.get(id);
      targets.set(id, (region, request) =>
        before === undefined || regions === undefined || regions.includes(region)
          ? pageResult(request as AnyRequest, page)
          : before(region, request),
      );
    },
    async untilOpen(id, type) {
      const query = `type=${type}&status=open`;
      await clock.runUntil(async () => (await line.incidentsOf(id, query)).length > 0, PATIENCE_MS);
      return (await line.incidentsOf(id, query))[0]!;
    },
    told,
    async events() {
      const rows = await database.read.selectFrom('event').select('type').orderBy('id').execute();
      return rows.map((row) => row.type);
    },
    async log(incidentId) {
      const { body } = await line.get(`/incidents/${incidentId}`);
      return (body['activities'] as Json[]).map(
        ({ type, description }) => `${type}: ${description}`,
      );
    },
    async close() {
      const stopped = inspector.stop();
      await clock.advance(SECOND);
      await stopped;
      await line.harness.close();
    },
  };
}

/** The result of a probe for a page, with its content evaluated as probes do. */
function pageResult(request: AnyRequest, page: string): CheckResult {
  if (request.type !== 'http' || request.content === undefined) return checkResult('up');
  const content = evaluateContent(request.content, Buffer.from(page), null);
  const failure = failureOf(content);
  if (failure === null) return checkResult('up', { content });
  const evidence = {
    statusLine: 'HTTP/1.1 200 OK',
    headers: {},
    body: page,
    redirects: [],
    tls: null,
  };
  return checkResult('down', { failure, content, statusCode: 200, evidence });
}
