import { z } from 'zod';
import { HTTP_METHODS, MONITOR_STATUSES, MONITOR_TYPES } from '../../model/monitor.ts';
import { MONITOR_SORTS } from '../../store/resources/monitors.ts';
import { checkTypesInput, noCheckTypesInput } from '../../monitor-types/sub-checks.ts';
import {
  hasNoContent,
  jsonAssertionInput,
  keywordInput,
} from '../../monitor-types/content-settings.ts';
import { credentialsInput } from '../../monitor-types/credentials.ts';
import { heartbeatInput, intervalInput } from './heartbeat-settings.ts';
import { cronExpression } from '../../lib/schemas.ts';
import { queryNumber } from '../common/input.ts';
import { anyNumber, oneOf, text, wholeNumber, yesOrNo } from '../../lib/schemas.ts';
import { dependsOnInput } from './dependencies.ts';
import { PAGE_QUERY } from '../common/page.ts';
import { requestHeaders } from '../../monitor-types/request-headers.ts';

/** What people may send for a monitor of each type. */
export type MonitorSchemas = ReturnType<typeof createMonitorSchemas>;

/**
 * Create and update share one schema for each type: every field may be absent; which are required is a rule of
 * monitor-rules.ts. A field that a schema lacks is ignored, whatever it holds.
 *
 * @param regions the codes of the installation's regions.
 */
export function createMonitorSchemas(regions: readonly string[]) {
  const everyType = {
    friendly_name: text(255).nullish(),
    group_id: groupId().nullish(),
    tags: z
      .array(text(50), { error: 'must be an array of texts' })
      .max(20, { error: 'must have at most 20 entries' })
      .nullish(),
    monitored_regions: regionList(regions).nullish(),
    accepted_status_codes: statusCodes().nullish(),
    follow_redirects: yesOrNo().nullish(),
    request_timeout: wholeNumber(1, 60, 'a whole number of seconds').nullish(),
    verify_ssl: yesOrNo().nullish(),
    ssl_expiry_threshold: wholeNumber(1, 365, 'a whole number of days').nullish(),
    domain_expiry_threshold: wholeNumber(1, 365, 'a whole number of days').nullish(),
    slow_response_threshold: wholeNumber(100, 60_000, 'a whole number of milliseconds').nullish(),
    error_text_detection: yesOrNo().nullish(),
    failure_threshold: wholeNumber(1, 10).nullish(),
    recovery_threshold: wholeNumber(1, 10).nullish(),
    check_both_families: yesOrNo().nullish(),
    depends_on: dependsOnInput().nullish(),
  };
  const pull = {
    url: z.string({ error: 'must be text' }).nullish(),
    check_interval: anyNumber(0.5, 60, 'a number of minutes').nullish(),
  };
  const notHttp = {
    http_method: httpOnly(),
    request_headers: httpOnly(),
    request_body: httpOnly(),
    keyword_settings: httpOnly('keywords'),
    json_assertion_settings: httpOnly('assertions'),
    auth_type: httpOnly(),
    auth_username: httpOnly(),
    auth_password: httpOnly(),
  };
  const push = { ...everyType, ...heartbeatInput(), ...notHttp };
  return {
    http: z.object({
      ...pull,
      ...everyType,
      check_types: checkTypesInput('http'),
      http_method: oneOf(HTTP_METHODS).nullish(),
      request_headers: requestHeaders().nullish(),
      request_body: text(10_000).nullish(),
      keyword_settings: keywordInput(),
      json_assertion_settings: jsonAssertionInput(),
      ...credentialsInput(),
    }),
    ping: z.object({ ...pull, ...everyType, check_types: checkTypesInput('ping'), ...notHttp }),
    port: z.object({
      ...pull,
      port: wholeNumber(1, 65_535, 'a TCP port, a whole number').nullish(),
      ...everyType,
      check_types: checkTypesInput('port'),
      ...notHttp,
    }),
    heartbeat: z.object({
      ...push,
      heartbeat_interval: intervalInput(),
      check_types: noCheckTypesInput('heartbeat'),
    }),
    cron: z.object({
      ...push,
      heartbeat_cron_expression: cronExpression().nullish(),
      check_types: noCheckTypesInput('cron'),
    }),
  };
}

export const monitorListQuery = z.object({
  ...PAGE_QUERY,
  search: text(255)
    .optional()
    .meta({ description: 'Part of the url, in upper or lower case; `%` and `_` are letters.' }),
  q: text(255)
    .optional()
    .meta({ description: 'As `search`, and looks at the name and the tags, too.' }),
  status: oneOf(MONITOR_STATUSES).optional(),
  type: oneOf(MONITOR_TYPES).optional(),
  interval: queryNumber(0.5, 60, 'a number')
    .optional()
    .meta({ description: 'Minutes between checks.' }),
  sort: oneOf(MONITOR_SORTS).optional(),
});

function regionList(regions: readonly string[]) {
  const names = regions.join(', ');
  const known = `must be one of ${names}`;
  return z
    .array(
      z.string({ error: known }).refine((code) => regions.includes(code), { error: known }),
      { error: `must be an array of regions, any of ${names}` },
    )
    .min(1, { error: 'must name at least one region' })
    .max(regions.length, { error: `must have at most ${regions.length} regions, any of ${names}` })
    .refine((codes) => new Set(codes).size === codes.length, {
      error: 'must not name a region twice',
    });
}

function statusCodes() {
  const error = 'must be text such as "200" or "2xx"';
  return z
    .array(z.string({ error }).regex(/^[1-5](\d\d|xx)$/, { error }), {
      error: 'must be an array of texts such as "200" or "2xx"',
    })
    .min(1, { error: 'must have at least one entry; null accepts 2xx and 3xx' })
    .max(100, { error: 'must have at most 100 entries' });
}

function groupId() {
  const error = 'must be the id of a group, a whole number';
  return z.int({ error });
}

/** @param list of a settings object: settings whose list is empty hold nothing. */
function httpOnly(list: string | null = null) {
  return z
    .unknown()
    .refine((value) => hasNoContent(value, list), {
      error: 'is for http monitors only: leave it out, or send null',
    })
    .transform(() => undefined)
    .optional();
}
