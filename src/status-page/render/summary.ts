import { isoTime } from '../facts/days.ts';
import type {
  AnnouncementFacts,
  DayFacts,
  Impact,
  PageFacts,
  ServiceGroup,
} from '../facts/model.ts';
import { addressOf, DOCUMENTS } from '../facts/urls.ts';
import { conditionOf, judgedServices, LAST, stateOf, type Condition } from './sentence.ts';
import { announcementTitle, isEnded, updateText } from './titles.ts';
import { wordsOf } from './words/index.ts';

/** Statuses of components, the best one first. */
const STATUSES = [
  'operational',
  'under_maintenance',
  'degraded_performance',
  'partial_outage',
  'major_outage',
] as const;
type ComponentStatus = (typeof STATUSES)[number];

const INDICATORS: readonly Impact[] = ['none', 'minor', 'major', 'critical'];

/**
 * Summary of a page in the shape of `summary.json` of hosted status pages: its components, the incidents that are not
 * resolved, and maintenance to come or in progress. That shape knows no "not observed": `observed` says it. Services
 * without a first verdict are left out.
 */
export function renderSummary(facts: PageFacts, now: number) {
  const { page } = facts;
  const words = wordsOf(page.language);
  const components = componentsOf(facts, now);
  const open = facts.announcements.filter((announcement) => !isEnded(announcement));
  const described = open.map((announcement) => incidentOf(announcement, facts, components));
  return {
    page: {
      id: String(page.id),
      name: page.name,
      url: addressOf(page, DOCUMENTS.page(page.slug), page.baseUrl),
      time_zone: page.timezone,
      updated_at: isoTime(facts.readAt),
    },
    components,
    incidents: described.filter((_, index) => open[index]!.kind === 'incident'),
    scheduled_maintenances: described.filter((_, index) => open[index]!.kind === 'maintenance'),
    status: {
      indicator: indicatorOf(facts, now),
      description: stateOf(facts, words, now).sentence,
      observed: judgedServices(facts, now).every(({ condition }) => isObserved(condition)),
    },
  };
}

/** Worst of the services and of the open incidents. What is not observed is at least minor: it may be anything. */
function indicatorOf(facts: PageFacts, now: number): Impact {
  const conditions = judgedServices(facts, now)
    .map(({ condition }) => condition)
    .filter(({ type }) => type !== 'paused' && type !== 'pending');
  const down = conditions.filter((condition) => statusOf(condition) === 'major_outage').length;
  const levels = facts.announcements
    .filter((announcement) => announcement.kind === 'incident' && !isEnded(announcement))
    .map(({ impact }) => INDICATORS.indexOf(impact));
  if (down > 0) levels.push(down === conditions.length ? 3 : 2);
  if (conditions.some(({ type }) => type === 'degraded' || type === 'unobserved')) levels.push(1);
  if (conditions.length === 0 && facts.groups.some(({ services }) => services.length > 0))
    levels.push(1);
  return INDICATORS[Math.max(0, ...levels)]!;
}

/** A service, or a group of services, in the shape of hosted status pages. */
type Component = ReturnType<typeof membersOf>[number] | ReturnType<typeof groupComponent>;

/** Components in the order of the page, each group before its members. */
function componentsOf(facts: PageFacts, now: number) {
  const components: Component[] = [];
  facts.groups.forEach((group, index) => {
    const groupId = group.name === null ? null : `group-${index}`;
    const members = membersOf(group, groupId, facts, now);
    if (groupId !== null && members.length > 0)
      components.push(groupComponent(group.name!, groupId, members));
    components.push(...members);
  });
  return components.map((component, index) => ({ ...component, position: index + 1 }));
}

/** Creation of the monitor, if it lies in these days, else their beginning. */
function beginningOf(days: readonly DayFacts[]): number | undefined {
  const first = days.find(
    ({ from, to, beforeMs, isImported }) => !isImported && beforeMs < to - from,
  );
  return first && first.from + first.beforeMs;
}

function membersOf(
  { services }: ServiceGroup,
  groupId: string | null,
  { page, readAt }: PageFacts,
  now: number,
) {
  return services.flatMap((service) => {
    const condition = conditionOf(service, readAt, now);
    if (service.status === 'pending') return [];
    const first = beginningOf(service.days) ?? readAt;
    const status: ComponentStatus =
      condition.type === 'paused' ? OF_CONDITION[LAST[service.status]] : statusOf(condition);
    return [
      {
        id: String(service.monitorId),
        name: service.name,
        status,
        /** Ours: false where the status is only the last known one. */
        observed: isObserved(condition),
        created_at: isoTime(first),
        updated_at: isoTime(service.statusSince ?? readAt),
        position: 0,
        description: null,
        showcase: service.display === 'bar',
        start_date: isoTime(first).slice(0, 10),
        group_id: groupId,
        page_id: String(page.id),
        group: false,
        only_show_if_degraded: false,
      },
    ];
  });
}

function groupComponent(name: string, id: string, members: ReturnType<typeof membersOf>) {
  const down = members.filter(({ status }) => status === 'major_outage').length;
  const worst = STATUSES[Math.max(...members.map(({ status }) => STATUSES.indexOf(status)))]!;
  return {
    ...members[0]!,
    id,
    name,
    status: down > 0 && down < members.length ? 'partial_outage' : worst,
    observed: members.every(({ observed }) => observed),
    updated_at: members
      .map(({ updated_at }) => updated_at)
      .toSorted()
      .at(-1)!,
    showcase: false,
    start_date: null,
    group_id: null,
    group: true,
    components: members.map((member) => member.id),
  };
}

const OF_CONDITION = {
  up: 'operational',
  degraded: 'degraded_performance',
  down: 'major_outage',
  maintenance: 'under_maintenance',
} as const;

function statusOf(condition: Condition): ComponentStatus {
  if (condition.type === 'unobserved') return OF_CONDITION[condition.last];
  if (condition.type === 'pending' || condition.type === 'paused') return 'operational';
  return OF_CONDITION[condition.type];
}

function isObserved({ type }: Condition): boolean {
  return type !== 'unobserved' && type !== 'pending' && type !== 'paused';
}

function incidentOf(
  announcement: AnnouncementFacts,
  { page }: PageFacts,
  components: readonly Component[],
) {
  const words = wordsOf(page.language);
  const id = String(announcement.id);
  const { kind, state, impact, startedAt, endedAt, updatedAt, updates, plannedUntil } =
    announcement;
  const monitoring = updates.findLast((update) => update.state === 'monitoring');
  const affected = new Set(announcement.services.map(({ monitorId }) => String(monitorId)));
  const isMaintenance = kind === 'maintenance';
  return {
    id,
    name: announcementTitle(announcement, words),
    status: state,
    impact: isMaintenance ? 'maintenance' : impact,
    created_at: isoTime(Math.min(updates.at(-1)?.at ?? startedAt, updatedAt)),
    updated_at: isoTime(updatedAt),
    started_at: isoTime(startedAt),
    monitoring_at: monitoring === undefined ? null : isoTime(monitoring.at),
    resolved_at: endedAt === null ? null : isoTime(endedAt),
    shortlink: addressOf(page, DOCUMENTS.announcement(page.slug, announcement.id), page.baseUrl),
    page_id: String(page.id),
    incident_updates: updates.map((update) => ({
      id: String(update.id),
      status: update.state,
      body: updateText(update, announcement, words),
      incident_id: id,
      created_at: isoTime(update.at),
      updated_at: isoTime(update.editedAt ?? update.at),
      display_at: isoTime(update.at),
      affected_components: null,
    })),
    components: components.filter((component) => affected.has(component.id)),
    ...(isMaintenance && {
      scheduled_for: isoTime(startedAt),
      scheduled_until: plannedUntil === null ? null : isoTime(plannedUntil),
    }),
  };
}
