import { z } from 'zod';
import { exactJson, flag, json, sealed, sealedJson } from '../lib/columns.ts';
import {
  anyNumber,
  cronExpression,
  oneOf,
  text,
  timeZone,
  wholeNumber,
  yesOrNo,
} from '../lib/schemas.ts';
import { AUTH_TYPES, CHECK_TYPES, HTTP_METHODS } from '../model/monitor.ts';
import {
  jsonAssertionInput,
  jsonAssertionSettings,
  keywordInput,
  keywordSettings,
  hasNoContent,
} from './content-settings.ts';
import { completed, type FieldTable, type SettingsOf } from './field.ts';
import {
  checkTypesInput,
  credential,
  dependsOnInput,
  regionList,
  statusCodes,
  tagList,
  requestHeaders,
} from './input-schemas.ts';
import {
  mergeNotificationSettings,
  notificationInput,
  notificationSettings,
} from './notification-settings.ts';

const FLAG = { codec: flag, input: yesOrNo() };

const seconds = (least: number, most: number) => ({
  unit: 'seconds' as const,
  input: wholeNumber(least, most, 'a whole number of seconds'),
});

/** Days before something expires. */
const DAYS_LEFT = {
  unit: 'days',
  input: wholeNumber(1, 365, 'a whole number of days'),
} as const;

/** A field is its row here and its column: settings, input, answers, audit log, export and reference follow. */
const TABLE = {
  url: {
    group: 'pull',
    input: z.string({ error: 'must be text' }),
    unset: '',
    valueForOtherTypes: '',
    meaning: ({ urls }) => urls,
  },
  check_interval: {
    group: 'pull',
    unit: 'minutes',
    input: anyNumber(0.5, 60, 'a number of minutes'),
    unset: ({ checkInterval }) => checkInterval,
    meaning: ({ requiring, push }) =>
      `Minutes between checks. Required for ${requiring('check_interval')}, unless the operator set a default. Null for ${push}.`,
  },
  port: {
    group: 'port',
    input: wholeNumber(1, 65_535, 'a TCP port, a whole number'),
    meaning({ taking, requiring }) {
      const where = requiring('port') === taking('port') ? 'there' : `for ${requiring('port')}`;
      return `TCP port; ${taking('port')} monitors only, and required ${where}.`;
    },
  },
  friendly_name: {
    input: text(255),
    meaning: ({ requiring }) => `What people call it. Required for ${requiring('friendly_name')}.`,
    isLabel: true,
  },
  group_id: {
    input: z.int({ error: 'must be the id of a group, a whole number' }),
    meaning: 'The group it lies in; null for none.',
    isLabel: true,
    refers: 'groups',
  },
  tags: {
    codec: json,
    input: tagList(),
    unset: [],
    meaning: 'Words of your own to search by; alert routes and maintenance windows can name them.',
    isLabel: true,
  },
  monitored_regions: {
    codec: json,
    usedBy: 'pull',
    input: ({ regions }) => regionList(regions),
    output: z.array(z.string()),
    documented: z.array(z.string()).min(1),
    unset: ({ regions }) => [...regions],
    meaning: 'Where it is checked from: codes of regions. All shared ones unless set.',
  },
  accepted_status_codes: {
    usedBy: 'http',
    codec: json,
    input: statusCodes(),
    output: z.array(z.union([z.int(), z.string()])),
    meaning: 'Such as 401, "200", "2xx" or "200-299"; null accepts 2xx and 3xx.',
  },
  follow_redirects: {
    ...FLAG,
    usedBy: 'http',
    card: 'request',
    unset: true,
    meaning: 'At most 5 are followed.',
  },
  request_timeout: {
    ...seconds(1, 60),
    usedBy: 'pull',
    unset: 30,
    meaning: 'Seconds. A check never takes longer than 90 % of the interval, whatever is set here.',
  },
  verify_ssl: {
    ...FLAG,
    usedBy: 'http',
    card: 'answer',
    unset: true,
    meaning:
      'Whether a bad certificate fails the check; with the check type ssl it is an incident of its own instead.',
  },
  ssl_expiry_threshold: {
    ...DAYS_LEFT,
    usedBy: 'http',
    unset: 14,
    meaning: 'A certificate that has fewer whole days left than that is a trouble.',
  },
  domain_expiry_threshold: {
    ...DAYS_LEFT,
    usedBy: 'pull',
    unset: 30,
    meaning: 'A registration that has fewer whole days left than that is a trouble.',
  },
  error_text_detection: {
    ...FLAG,
    usedBy: 'http',
    card: 'answer',
    unset: false,
    meaning: "Whether a server's error text on an accepted page fails the check.",
  },
  slow_response_threshold: {
    usedBy: 'pull',
    card: 'answer',
    unit: 'ms',
    input: wholeNumber(100, 60_000, 'a whole number of milliseconds'),
    meaning: 'Milliseconds from which on an answer is slow; null: never.',
  },
  failure_threshold: {
    usedBy: 'pull',
    input: wholeNumber(1, 10),
    unset: 2,
    meaning: 'Bad rounds in a row until it counts as failing.',
  },
  recovery_threshold: {
    usedBy: 'pull',
    input: wholeNumber(1, 10),
    unset: 1,
    meaning: 'Good rounds in a row until it counts as well again.',
  },
  check_both_families: {
    ...FLAG,
    usedBy: 'pull',
    card: 'answer',
    unset: false,
    meaning:
      'Whether it is a trouble when a name has addresses of IPv4 and of IPv6 and only one family answers: an incident of type dual_stack, and the status degraded.',
  },
  depends_on: {
    codec: null,
    input: dependsOnInput(),
    unset: [],
    refers: 'monitors',
    meaning:
      'Ids of at most 10 monitors of the team without which this one can not work, such as its router: while one of them is down, people are not told of this one. In no circle. One that is deleted drops out.',
    isLabel: true,
  },
  notification_settings: {
    codec: json,
    input: notificationInput(),
    output: notificationSettings,
    documented: notificationSettings,
    meaning:
      'Restricts who is notified of this monitor; null: alert routes decide. Comes back as it was sent. Shown only to callers who may update, else null.',
    visibleTo: 'editors',
    merge: mergeNotificationSettings,
    isLabel: true,
  },
  heartbeat_interval: {
    ...seconds(30, 2_592_000),
    group: 'heartbeat',
    meaning: 'Seconds between the pings that are expected; required for heartbeat.',
  },
  heartbeat_cron_expression: {
    group: 'cron',
    input: cronExpression(),
    meaning: 'When the job runs, as a cron expression of 5 fields; required for cron.',
  },
  heartbeat_timezone: {
    group: 'push',
    input: timeZone(),
    unset: 'UTC',
    meaning: ({ push }) =>
      `IANA name of the time zone that the cron expression is meant in; ${push} only.`,
  },
  heartbeat_grace: {
    ...seconds(0, 86_400),
    group: 'push',
    unset: 60,
    meaning: ({ push }) =>
      `Seconds after the expected time until a missed ping counts as a failure; ${push} only.`,
  },
  heartbeat_wait_for_first_ping: {
    ...FLAG,
    group: 'push',
    unset: false,
    meaning: ({ push }) => `Whether nothing is raised before the first ping; ${push} only.`,
  },
  heartbeat_max_runtime: {
    ...seconds(1, 604_800),
    group: 'push',
    meaning: ({ push }) =>
      `Seconds that a run may take before it counts as failed; null: as long as it wants. ${push} only.`,
  },
  check_types: {
    usedBy: 'pull',
    codec: json,
    input: ({ type }) => checkTypesInput(type),
    output: z.array(z.enum(CHECK_TYPES)),
    documented: z.array(z.enum(CHECK_TYPES)),
    unset: [],
    meaning: ({ checkTypes }) =>
      `What is looked at beside whether the target answers. ${checkTypes}`,
  },
  http_method: {
    group: 'http',
    input: oneOf(HTTP_METHODS),
    unset: 'GET',
    valueForOtherTypes: 'GET',
    meaning: 'http only; null on other types.',
  },
  request_headers: {
    group: 'http',
    codec: sealedJson,
    input: requestHeaders(),
    output: z.record(z.string(), z.string()),
    documented: z.record(z.string(), z.string()),
    meaning:
      'http only, at most 50, and 32,768 characters in all. On update, they replace all that is stored, but a value of eight bullets (`••••••••`) keeps the stored value of that name. Shown only to callers who may update, else null.',
    secret: 'shown to editors',
  },
  request_body: {
    group: 'http',
    codec: sealed,
    input: text(10_000),
    meaning: 'http only, for POST, PUT and PATCH. Shown only to callers who may update, else null.',
    secret: 'shown to editors',
  },
  keyword_settings: {
    group: 'http',
    codec: json,
    input: keywordInput(),
    output: keywordSettings,
    documented: keywordSettings,
    meaning:
      'http only. Comes back as it was sent. At most 16 KiB as JSON; an unknown key is 422. Unless its list of keywords is empty, it turns the check type keyword on; null, `{}` or an empty list without `check_types` turns it off. Not together with JSON assertions.',
    isEmpty: (value) => hasNoContent(value, 'keywords'),
  },
  json_assertion_settings: {
    group: 'http',
    codec: exactJson,
    input: jsonAssertionInput(),
    output: jsonAssertionSettings,
    documented: jsonAssertionSettings,
    meaning:
      'http only. Comes back as it was sent. At most 16 KiB as JSON; an unknown key is 422. Unless its list of assertions is empty, it turns the check type json on; null, `{}` or an empty list without `check_types` turns it off. Not together with keywords.',
    isEmpty: (value) => hasNoContent(value, 'assertions'),
  },
  auth_type: {
    group: 'http',
    input: oneOf(AUTH_TYPES),
    meaning:
      'How an http check signs in. Needs `auth_username` and `auth_password`, or bearer `auth_password` alone; null clears all three. Digest answers the challenge of the server (RFC 7616).',
  },
  auth_username: {
    group: 'http',
    codec: sealed,
    input: credential(),
    meaning:
      'With bearer, it is the token; leave it out where `auth_password` is. Shown only to callers who may update, else null.',
    secret: 'shown to editors',
  },
  auth_password: {
    group: 'http',
    codec: sealed,
    input: credential(),
    meaning:
      'Never shown. On update, eight bullets (`••••••••`) keep what is stored. With bearer it is the token, unless `auth_username` is given: then that is, and this is kept and not sent.',
    secret: 'never shown',
  },
} as const satisfies FieldTable;

/**
 * Settings of a monitor, named as in the API and in the database. Those of a group are null on other types. A secret is
 * `undefined` when it is sealed with a key that SECRET_KEY does not hold any more.
 */
export interface MonitorSettings extends SettingsOf<typeof TABLE> {}

export type FieldName = keyof MonitorSettings;

/** All fields, in the order of the reference. */
export const FIELDS = completed<MonitorSettings>(TABLE);

/** The settings that findings of inspections depend on. */
export const INSPECTION_FIELDS = [
  'verify_ssl',
  'ssl_expiry_threshold',
  'domain_expiry_threshold',
] as const satisfies FieldName[];
export type InspectionSettings = Pick<MonitorSettings, (typeof INSPECTION_FIELDS)[number]>;
