import type {
  Compared,
  Durations,
  Figures,
  MonitorFacts,
  ObjectiveFacts,
  OtherFigures,
  PartFacts,
  ReportFacts,
} from './model.ts';

const isoTime = (at: number) => new Date(at).toISOString();
const wholeSeconds = (ms: number | null) => (ms === null ? null : Math.round(ms / 1_000));

export function viewReport(facts: ReportFacts): object {
  const compared = comparedBy(facts.isCorrected);
  return {
    report_id: facts.reportId,
    name: facts.name,
    team: facts.team,
    from: isoTime(facts.period.from),
    to: isoTime(facts.period.to),
    timezone: facts.timezone,
    corrected: facts.isCorrected,
    generated_at: isoTime(facts.generatedAt),
    total: { monitors_count: facts.monitors.length, ...compared(facts.total) },
    groups: facts.groups.map((group) => ({ id: group.id, ...viewPart(group, compared) })),
    tags: facts.tags.map((tag) => viewPart(tag, compared)),
    monitors: facts.monitors.map((monitor) => viewMonitor(monitor, facts, compared)),
    incidents_total: facts.incidentsTotal,
    incidents: facts.incidents.map((incident) => ({
      id: incident.id,
      monitor_id: incident.monitorId,
      monitor: incident.monitor,
      type: incident.type,
      severity: incident.severity,
      root_cause: incident.cause,
      started_at: isoTime(incident.startedAt),
      ended_at: incident.endedAt === null ? null : isoTime(incident.endedAt),
      seconds_in_period: incident.durationMs / 1_000,
    })),
    exclusions_total: facts.exclusionsTotal,
    exclusions: facts.exclusions.map(({ from, to, ...exclusion }) => ({
      ...exclusion,
      from: isoTime(from),
      to: isoTime(to),
    })),
  };
}

type ViewCompared = (compared: Compared) => object;

/** Shows the main figures, and both choices about corrections where they differ. */
function comparedBy(isCorrected: boolean): ViewCompared {
  return ({ figures, other }) => {
    const main = other && viewOther(figures);
    const second = other && viewOther(other);
    return {
      ...viewFigures(figures),
      compared: other && {
        corrected: isCorrected ? main : second,
        uncorrected: isCorrected ? second : main,
      },
    };
  };
}

function viewPart({ name, monitorIds, ...figures }: PartFacts, compared: ViewCompared) {
  return { name, monitors_count: monitorIds.length, ...compared(figures) };
}

function viewMonitor(monitor: MonitorFacts, facts: ReportFacts, compared: ViewCompared) {
  return {
    id: monitor.id,
    name: monitor.name,
    group_id: monitor.groupId,
    tags: monitor.tags,
    ...compared(monitor),
    slo: monitor.objective && viewObjective(monitor.objective),
    days: monitor.days.flatMap((day, index) =>
      day === null ? [] : [{ from: isoTime(facts.days[index]!.from), ...viewDurations(day) }],
    ),
  };
}

function viewDurations(times: Durations) {
  return {
    up_seconds: times.upMs / 1_000,
    degraded_seconds: times.degradedMs / 1_000,
    down_seconds: times.downMs / 1_000,
    excluded_seconds: times.excludedMs / 1_000,
    unobserved_seconds: times.unobservedMs / 1_000,
  };
}

function viewFigures(figures: Figures) {
  return {
    uptime_percent: figures.uptimePercent,
    observed_percent: figures.observedPercent,
    ...viewDurations(figures),
    incidents: figures.outages,
    mttr_seconds: wholeSeconds(figures.mttrMs),
    mtbf_seconds: wholeSeconds(figures.mtbfMs),
    response_time: figures.responseTimes,
  };
}

function viewOther(figures: OtherFigures) {
  return {
    uptime_percent: figures.uptimePercent,
    observed_percent: figures.observedPercent,
    down_seconds: figures.downMs / 1_000,
    excluded_seconds: figures.excludedMs / 1_000,
  };
}

function viewObjective({ targetPercent, windowDays, ...budget }: ObjectiveFacts) {
  return {
    target_percent: targetPercent,
    window_days: windowDays,
    budget_seconds: wholeSeconds(budget.allowedMs),
    budget_left_seconds: wholeSeconds(budget.leftMs),
    budget_left_percent: budget.leftPercent,
  };
}
