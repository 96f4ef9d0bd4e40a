import { z } from 'zod';
import { BUS_MARGIN_MS } from '../../engine/bus/contract.ts';
import { busOfTeam, type TeamBus } from '../../engine/bus/compose.ts';
import { expectedAfter } from '../../engine/heartbeat/ping-schedule.ts';
import { findingFor } from '../../engine/inspect/finding.ts';
import { placeOfInspections, runningInspections } from '../../engine/inspect/target.ts';
import { checkRequest, roundSettings } from '../../engine/schedule/request.ts';
import { causeOf, conditionsOf, verdictOf } from '../../engine/verdict/round.ts';
import type { Caller } from '../../identity/caller.ts';
import type { Plans } from '../../identity/plans.ts';
import { unknownResult, type RegionResult } from '../../model/check.ts';
import { CONDITIONS, INCIDENT_TYPES, type Condition } from '../../model/condition.ts';
import { INSPECTION_KINDS } from '../../model/inspection.ts';
import type { Region } from '../../model/monitor.ts';
import type { Round } from '../../model/round.ts';
import type { MonitorSettings } from '../../monitor-types/fields.ts';
import { http } from '../../monitor-types/http.ts';
import {
  isPushType,
  MONITOR_TYPES,
  type MonitorType,
  PUSH,
  scheduleOf,
} from '../../monitor-types/registry.ts';
import { time } from '../common/reference-schemas.ts';
import { isoTime } from '../common/time.ts';
import { refuseSecretsSentElsewhere } from '../monitors/kept-secrets.ts';
import type { RulesOfTeams } from '../monitors/rules.ts';
import { monitorBody } from '../monitors/reference-schema.ts';
import { createMonitorValidation, readUnsaved, savedId } from '../monitors/unsaved.ts';
import {
  dnsOutcome,
  domainOutcome,
  ifInspected,
  notRun,
  regionTest,
  sslOutcome,
  viewInspections,
  viewRegionTest,
} from './check-view.ts';
import { createInspectNow, type Inspections } from './inspect-now.ts';
import { PROBE_ALIVE_MS, type MonitorCheckDeps } from './monitor-check.ts';
import { noun, type Call } from '../common/operation.ts';

/** Time for the checks, of the 25 s for the whole request. */
const CHECK_TIMEOUT_MS = 22_000;
/** Number of expected pings that a push monitor shows. */
const EXPECTED_PINGS = 10;

interface MonitorTestDeps extends Omit<MonitorCheckDeps, 'wakeScheduler'> {
  monitorRules: RulesOfTeams;
  plans: Plans;
}

/** Settings to test. */
interface Tested {
  type: MonitorType;
  settings: MonitorSettings;
  teamId: number;
  bus: TeamBus;
}

/** Checks settings that are not saved, at once and from each of their regions. Stores nothing. */
function createMonitorTest(deps: MonitorTestDeps) {
  const { regions, clock } = deps;
  const inspectNow = createInspectNow(deps);

  async function read(caller: Caller, body: unknown): Promise<Tested> {
    const { before, ...tested } = await readUnsaved(deps, caller, body);
    if (before !== null) refuseSecretsSentElsewhere(before, tested.settings, body);
    const teamId = caller.team.id;
    return { ...tested, teamId, bus: busOfTeam(deps.bus, regions, teamId) };
  }

  async function check({ type, settings, bus }: Tested, region: Region): Promise<RegionResult> {
    const checkedAt = clock.now();
    if (!isAlive(bus, region)) return { ...NO_PROBE, region, checkedAt };
    // No monitor has this id.
    const request = checkRequest({ id: 0, type }, settings, CHECK_TIMEOUT_MS - BUS_MARGIN_MS);
    const vantage = bus.vantageOf(region);
    const result = await bus.check(region, request);
    return { ...(vantage !== null && { vantage }), ...result, region, checkedAt };
  }

  function isAlive(bus: TeamBus, region: Region): boolean {
    const seenAt = bus.lastSeen(region);
    return seenAt !== null && clock.now() - seenAt <= PROBE_ALIVE_MS;
  }

  async function checkAll(tested: Tested): Promise<object> {
    const { type, settings, teamId, bus } = tested;
    const startedAt = clock.now();
    const { url, port, check_types: checkTypes } = settings;
    const place = placeOfInspections(regions, teamId, settings.monitored_regions);
    const inspected = { type, url, port, checkTypes, place };
    const [results, inspections] = await Promise.all([
      Promise.all(settings.monitored_regions.map((region) => check(tested, region))),
      inspectNow(inspected, CHECK_TIMEOUT_MS - BUS_MARGIN_MS),
    ]);
    const round: Round = {
      // Nothing is stored, so nothing identifies it.
      monitorId: 0,
      teamId: 0,
      revision: 0,
      slot: startedAt,
      startedAt,
      finishedAt: clock.now(),
      settings: roundSettings(settings, runningInspections(inspected)),
      knownRegions: settings.monitored_regions.filter((region) => isAlive(bus, region)),
      results,
    };
    const problems = [
      ...problemsOfRound(round),
      ...problemsOfInspections(inspections, settings, clock.now()),
    ];
    const isKnown = results.some(({ vote }) => vote !== 'unknown');
    return {
      monitor_type: type,
      checked_at: isoTime(startedAt),
      verdict: {
        status: isKnown ? statusOf(problems) : 'unknown',
        failure_threshold: settings.failure_threshold,
        problems: problems.map(viewProblem),
      },
      regions: results.map(viewRegionTest),
      ...viewInspections(inspections, settings, clock.now()),
      expected_pings: null,
    };
  }

  function expectPings({ type, settings }: Tested): object {
    const now = clock.now();
    const times: number[] = [];
    while (times.length < EXPECTED_PINGS)
      times.push(expectedAfter(scheduleOf(type, settings), times.at(-1) ?? now));
    return {
      monitor_type: type,
      checked_at: isoTime(now),
      verdict: { status: 'unknown', failure_threshold: settings.failure_threshold, problems: [] },
      regions: [],
      ...viewInspections({}, { ...settings, check_types: [] }, now),
      expected_pings: times.map(isoTime),
    };
  }

  return async ({ caller, body }: Call) => {
    const tested = await read(caller, body);
    if (isPushType(tested.type)) return expectPings(tested);
    await deps.spendCheck(caller, 'monitor_check', tested.settings.url);
    return checkAll(tested);
  };
}

const NO_PROBE = unknownResult(
  'no_probe',
  'No probe checks from this region right now. Try again in a minute, or leave the region out.',
);

interface FoundProblem {
  condition: Condition;
  text: string;
}

function problemsOfRound(round: Round): FoundProblem[] {
  const verdict = verdictOf(round);
  return conditionsOf(round, verdict).map((condition) => ({
    condition,
    text: causeOf(condition, round, verdict).rootCause,
  }));
}

function problemsOfInspections(inspections: Inspections, settings: MonitorSettings, now: number) {
  return INSPECTION_KINDS.flatMap((kind) => {
    const found = inspections[kind];
    if (found === undefined || found.state === 'not_run') return [];
    const target = 'target' in found ? found.target : '';
    const finding = findingFor({ kind, target }, found, settings, now);
    return finding.says === 'bad' ? [{ condition: finding.condition, text: finding.text }] : [];
  });
}

/** Status of a monitor that has these problems. */
function statusOf(problems: readonly FoundProblem[]): 'online' | 'degraded' | 'offline' {
  const severities = problems.map(({ condition }) => CONDITIONS[condition].severity);
  if (severities.includes('critical')) return 'offline';
  return severities.length > 0 ? 'degraded' : 'online';
}

function viewProblem({ condition, text }: FoundProblem) {
  const { type, severity } = CONDITIONS[condition];
  return { type, severity, text };
}

const problem = z
  .object({
    type: z.enum(INCIDENT_TYPES),
    severity: z.enum(['critical', 'warning']),
    text: z.string(),
  })
  .meta({ id: 'FoundProblem', description: 'A problem that would open an incident.' });

const answer = z
  .object({
    monitor_type: z.enum(MONITOR_TYPES),
    checked_at: time,
    verdict: z.object({
      status: z.enum(['online', 'degraded', 'offline', 'unknown']).meta({
        description:
          'Status that the monitor would get after `failure_threshold` such rounds in a row. unknown: no region could check.',
      }),
      failure_threshold: z.int(),
      problems: z.array(problem),
    }),
    regions: z
      .array(regionTest)
      .meta({ description: 'One per region of the monitor, in its order.' }),
    ssl: sslOutcome.nullable().meta(ifInspected),
    dns: dnsOutcome.nullable().meta(ifInspected),
    domain: domainOutcome.nullable().meta(ifInspected),
    not_run: notRun,
    expected_pings: z
      .array(time)
      .nullable()
      .meta({
        description: `Next ten expected pings of a ${PUSH.or} monitor; null for other types.`,
      }),
  })
  .meta({ id: 'MonitorTest', description: 'Result of settings that are not saved.' });

const unsaved = monitorBody.extend({ id: savedId }).meta({
  id: 'MonitorTestSettings',
  description: 'Settings of a monitor, as in `POST /monitors`.',
});

const validation = z
  .object({
    valid: z.boolean(),
    errors: z.record(z.string(), z.array(z.string())).meta({
      description:
        'Sentences by field, as in an answer 422; empty for valid settings. `plan` has what the plan does not allow.',
    }),
  })
  .meta({ id: 'MonitorValidation', description: 'Whether settings could be saved.' });

export const validateMonitor = noun('Monitors', createMonitorValidation, {
  validateMonitor: {
    at: 'POST /monitors/validate',
    status: 200,
    summary: 'Validate settings of a monitor before saving them',
    description:
      'Answers 200 with what `POST /monitors` would refuse, or with `id` what `PUT /monitors/{id}` would refuse, for forms that show it while somebody types. Nothing is stored, checked or sent.',
    body: unsaved,
    answer: validation,
    example: {
      body: { url: 'example.com', check_interval: 1 },
      answer: {
        valid: false,
        errors: {
          url: ['url must be an absolute http or https URL, such as https://example.com.'],
        },
      },
    },
  },
});

export const testMonitor = noun('Monitors', createMonitorTest, {
  testMonitor: {
    at: 'POST /monitors/test',
    budget: 'monitor_check',
    status: 200,
    summary: 'Test settings of a monitor before saving them',
    description: `Checks a target once from each region of the settings, at once, with its check types, and answers what each region saw and what the verdict would be. Nothing is stored. ${PUSH.and} monitors answer their next expected pings. The body is that of \`POST /monitors\`; with \`id\` it is that of \`PUT /monitors/{id}\`, and stored secrets are sent to the host of the saved \`url\` only. The response takes at most 25 seconds.`,
    body: unsaved,
    answer,
    example: {
      body: http.example,
      answer: {
        monitor_type: 'http',
        checked_at: '2030-01-01T00:00:00.000Z',
        verdict: { status: 'online', failure_threshold: 2, problems: [] },
        regions: [
          {
            region: 'ash',
            vantage: 'probe-ash-1',
            vote: 'up',
            status: 'online',
            response_time: 87.4,
            status_code: 200,
            failure_code: null,
            error: null,
            remote_address: '192.0.2.7',
            timings: { dns_ms: 2.1, tcp_ms: 9.8, tls_ms: 21.5, ttfb_ms: 48.7, total_ms: 87.4 },
            content: {
              passed: true,
              failures: [],
              outcomes: [{ passed: true, text: 'Keyword "Welcome back" was found' }],
            },
          },
        ],
        ssl: {
          valid: true,
          expires_at: '2030-03-10T12:00:00.000Z',
          days_until_expiry: 68,
          issuer: 'R11',
          subject: 'example.com',
          protocol: 'TLSv1.3',
          error: null,
        },
        dns: null,
        domain: null,
        not_run: {},
        expected_pings: null,
      },
    },
  },
});
