import type { z } from 'zod';
import { MASK } from '../lib/secret-box.ts';
import type { MonitorStatus } from '../model/monitor.ts';
import { unobservedSince } from '../model/observation.ts';
import type { FieldName, MonitorSettings } from '../monitor-types/fields.ts';
import { definitionOf, isPushType, type MonitorType, takes } from '../monitor-types/registry.ts';
import { FIELD_LIST } from '../monitor-types/settings.ts';
import { monitors } from '../resources/monitors/reference.ts';
import { nameOf, shownUrl } from './common.ts';
import {
  as,
  cut,
  cutMade,
  detailed,
  ifAny,
  list,
  made,
  part,
  shown,
  shownIf,
  target,
  team,
  type Table,
} from './shown.ts';
import { fromTeam } from './target-text.ts';

/** What is read of a monitor as the API answers it. */
interface MonitorAnswer extends MonitorSettings {
  id: number;
  monitor_type: MonitorType;
  status: MonitorStatus;
  observed_until: string | null;
  is_paused: boolean;
}

/** The url of a push monitor is its ping URL, a secret. */
const urlOf = ({ monitor_type: type, url }: MonitorAnswer) => (isPushType(type) ? null : url);

// A monitor that signs in has both, and the API never shows the password.
const mask = made(({ auth_username: username }: MonitorAnswer) =>
  username === null ? undefined : MASK,
);

const headersOf = ({ request_headers: headers }: MonitorAnswer) => Object.keys(headers ?? {});

type Contents = NonNullable<MonitorSettings['keyword_settings']> &
  NonNullable<MonitorSettings['json_assertion_settings']>;

/** What a page must hold; nothing where nothing is asked for. */
function contentSettings<const Name extends FieldName>(
  field: Name,
  key: keyof Contents,
  content: Table<never>,
) {
  const isAny = (answer: Record<Name, Contents | null>) => answer[field]?.[key] !== undefined;
  return shownIf(isAny, { [field]: part(content, { ifAny: true }) });
}

/** The settings that are not shown as they are under their names. */
const OTHERWISE: { readonly [Name in FieldName]?: Table<never> } = {
  url: {},
  friendly_name: {},
  tags: { tags: cut(team(50)) },
  depends_on: { depends_on: cut(true) },
  monitored_regions: { regions: cut(true, { from: 'monitored_regions' }) },
  accepted_status_codes: { accepted_status_codes: cut(true, { ifAny: true }) },
  failure_threshold: { failure_threshold: true },
  recovery_threshold: { recovery_threshold: true },
  notification_settings: {
    notifications_enabled: made(({ notification_settings: settings }: MonitorAnswer) =>
      settings?.enabled === false ? false : undefined,
    ),
  },
  request_headers: {
    request_headers: made((answer: MonitorAnswer, { itemLimit }) =>
      answer.request_headers === null
        ? undefined
        : Object.fromEntries(
            headersOf(answer)
              .slice(0, itemLimit)
              .map((one) => [one, MASK]),
          ),
    ),
    request_headers_total: made((answer: MonitorAnswer, { itemLimit }) =>
      headersOf(answer).length > itemLimit ? headersOf(answer).length : undefined,
    ),
  },
  request_body: {
    has_request_body: made(({ request_body: body }: MonitorAnswer) =>
      body === null ? undefined : true,
    ),
  },
  auth_username: { auth_username: mask, auth_password: mask },
  auth_password: {},
  keyword_settings: contentSettings('keyword_settings', 'keywords', {
    search_target: made(({ search_target: where }: Contents) => where),
    keywords: cutMade(({ keywords = [] }: Contents, { textLimit }) =>
      keywords.map(({ phrase, ...how }) => ({ phrase: fromTeam(phrase, textLimit), ...how })),
    ),
  }),
  json_assertion_settings: contentSettings('json_assertion_settings', 'assertions', {
    assertions: cutMade(({ assertions = [] }: Contents, { textLimit }) =>
      assertions.map(({ path, value, ...how }) => ({
        path: fromTeam(path, textLimit),
        ...how,
        ...(value !== undefined && {
          value: typeof value === 'string' ? fromTeam(value, textLimit) : value,
        }),
      })),
    ),
  }),
};

/** The settings that the type of a monitor uses, with their units in their names. */
const settings: Table<never> = Object.assign(
  {},
  ...FIELD_LIST.map(({ name: field, field: { unit, usedBy, group } }) =>
    shownIf(
      ({ monitor_type: type }: MonitorAnswer) => takes(definitionOf(type), usedBy ?? group),
      OTHERWISE[field] ?? {
        [unit === undefined ? field : `${field}_${unit}`]: as(field, { ifAny: true }),
      },
    ),
  ),
);

const { createMonitor, getMonitor } = monitors.operations;

/** A monitor: compact, and with detail all that there is to know of it without its secrets. */
export const monitor = shown(createMonitor.answer as unknown as z.ZodType<MonitorAnswer>, {
  id: true,
  name: made((answer) => nameOf({ ...answer, url: urlOf(answer) })),
  type: as<MonitorType>('monitor_type'),
  url: made((answer) => shownUrl(urlOf(answer))),
  status: true,
  not_observed_since: made((answer, { now }) =>
    isUnobserved(answer, now) ? answer.observed_until! : undefined,
  ),
  is_paused: true,
  last_checked_at: true,
  ...detailed({
    next_check_at: ifAny,
    last_heartbeat_at: ifAny,
    heartbeat_expected_at: ifAny,
    ...settings,
    created_at: true,
    updated_at: true,
  }),
});

function isUnobserved(answer: MonitorAnswer, now: number): boolean {
  const { status, is_paused: isPaused, observed_until: until, check_interval: interval } = answer;
  const observedUntil = until === null ? null : Date.parse(until);
  const observation = { status, isPaused, observedUntil, checkInterval: interval, aliveAt: null };
  return unobservedSince(observation, now) !== null;
}

/** Incidents of a monitor in the compact form. */
const FEW_INCIDENTS = 3;

/** A monitor with how it is doing. */
export const singleMonitor = shown(getMonitor.answer as unknown as z.ZodType<MonitorAnswer>, {
  ...monitor.fields,
  response_times: cut({
    region: true,
    response_time_ms: as('response_time'),
    status_code: true,
    checked_at: true,
  }),
  newest_incidents: list(
    {
      id: true,
      type: true,
      severity: true,
      status: true,
      started_at: true,
      ended_at: true,
      duration_seconds: true,
      root_cause: target(),
    },
    {
      from: 'incidents',
      most: ({ detail, itemLimit }) => (detail ? itemLimit : FEW_INCIDENTS),
    },
  ),
});
