import type { Figures, MonitorFacts, ReportFacts } from '../../src/report/model.ts';

const DAY_MS = 86_400_000;

/** Figures of a period of a day. */
export function sampleFigures(uptimePercent: number | null, more: Partial<Figures> = {}): Figures {
  const downMs = ((100 - (uptimePercent ?? 100)) / 100) * DAY_MS;
  return {
    upMs: DAY_MS - downMs,
    degradedMs: 0,
    downMs,
    excludedMs: 0,
    unobservedMs: 0,
    uptimePercent,
    observedPercent: 100,
    outages: downMs > 0 ? 1 : 0,
    mttrMs: downMs > 0 ? downMs : null,
    mtbfMs: downMs > 0 ? DAY_MS - downMs : null,
    responseTimes: { p50: 100.5, p95: 300.2, p99: 800, count: 2_880 },
    ...more,
  };
}

/** A report of two monitors over one day. */
export function sampleFacts({
  monitor = 'Shop',
  ...more
}: Partial<ReportFacts> & { monitor?: string } = {}): ReportFacts {
  const from = Date.UTC(2030, 0, 1);
  const day = { upMs: DAY_MS, degradedMs: 0, downMs: 0, excludedMs: 0, unobservedMs: 0 };
  const monitors: MonitorFacts[] = [
    {
      id: 1,
      name: monitor,
      groupId: 1,
      tags: ['prod'],
      figures: sampleFigures(99),
      other: { uptimePercent: 98, observedPercent: 100, downMs: 1_728_000, excludedMs: 0 },
      days: [{ ...day, upMs: day.upMs - 864_000, downMs: 864_000 }],
      objective: {
        targetPercent: 99.9,
        windowDays: 30,
        allowedMs: 86_400,
        leftMs: -12_500,
        leftPercent: -14.5,
      },
    },
    {
      id: 2,
      name: 'API',
      groupId: 1,
      tags: [],
      figures: sampleFigures(100),
      other: null,
      days: [day],
      objective: null,
    },
  ];
  return {
    reportId: 1,
    name: 'Daily',
    team: 'Northwind',
    period: { from, to: from + DAY_MS },
    timezone: 'UTC',
    language: 'en',
    generatedAt: from + DAY_MS,
    isCorrected: true,
    days: [{ from, to: from + DAY_MS }],
    before: { from: from - DAY_MS, to: from, uptimePercent: 99.9 },
    monitors,
    groups: [
      { id: 1, name: 'Production', monitorIds: [1, 2], figures: sampleFigures(99.5), other: null },
    ],
    tags: [{ id: null, name: 'prod', monitorIds: [1], figures: sampleFigures(99), other: null }],
    total: {
      figures: sampleFigures(99.5),
      other: { uptimePercent: 99, observedPercent: 100, downMs: 1_728_000, excludedMs: 0 },
    },
    responseDays: [{ at: from, p50: 100.5, p95: 300.2, p99: 800, count: 5_760 }],
    incidents: [
      {
        id: 1,
        monitorId: 1,
        monitor,
        type: 'uptime',
        severity: 'critical',
        cause: 'HTTP 503 Service Unavailable',
        startedAt: from + 3_600_000,
        endedAt: from + 4_464_000,
        durationMs: 864_000,
      },
    ],
    incidentsTotal: 1,
    exclusions: [
      {
        kind: 'false_alarm',
        reason: 'The probe lost its network',
        author: 'Alice',
        from: from + 7_200_000,
        to: from + 8_064_000,
        monitors: [monitor],
      },
    ],
    exclusionsTotal: 1,
    ...more,
  };
}
