import { noun } from '../common/operation.ts';
import { createMonitorValidation } from '../monitors/validation.ts';
import { createMonitorTest } from './monitor-test.ts';
import { z } from 'zod';
import { INCIDENT_TYPES } from '../../model/condition.ts';
import { http } from '../../monitor-types/http.ts';
import { MONITOR_TYPES } from '../../monitor-types/registry.ts';
import { responseTimeMs, textOrNull, time, timings } from '../common/reference-schemas.ts';
import {
  contentOutcome,
  dnsOutcome,
  domainOutcome,
  familyOutcome,
  monitorBody,
  sslOutcome,
} from '../monitors/reference-schema.ts';
import { savedId } from '../monitors/unsaved.ts';

const region = z
  .object({
    region: z.string().meta({ description: 'Code of the region.' }),
    vantage: textOrNull.meta({ description: 'Name of the machine that ran the check.' }),
    vote: z.enum(['up', 'down', 'unknown']).meta({
      description: 'unknown: Tocsin itself could not check, as without a probe in the region.',
    }),
    status: z.enum(['online', 'offline', 'unknown']).meta({
      description: 'Whether the target responds as expected, apart from its content.',
    }),
    response_time: responseTimeMs,
    status_code: z.int().nullable().meta({ description: 'HTTP status code; null without one.' }),
    failure_code: textOrNull,
    error: textOrNull.meta({ description: 'Why the vote is down or unknown.' }),
    remote_address: textOrNull.meta({ description: 'Address of the connection.' }),
    timings,
    families: z.object({ ipv4: familyOutcome, ipv6: familyOutcome }).optional().meta({
      description: 'Only for a name with addresses of both families, if the probe supports both.',
    }),
    content: contentOutcome.nullable().meta({
      description: 'Outcome of the keyword or JSON check; null without one.',
    }),
  })
  .meta({ id: 'RegionTest', description: 'Result of a test in one region.' });

const problem = z
  .object({
    type: z.enum(INCIDENT_TYPES),
    severity: z.enum(['critical', 'warning']),
    text: z.string(),
  })
  .meta({ id: 'FoundProblem', description: 'A problem that would open an incident.' });

const INSPECTED = 'Null when the check type is off, or when `not_run` has the reason.';

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
    regions: z.array(region).meta({ description: 'One per region of the monitor, in its order.' }),
    ssl: sslOutcome.nullable().meta({ description: INSPECTED }),
    dns: dnsOutcome.nullable().meta({ description: INSPECTED }),
    domain: domainOutcome.nullable().meta({ description: INSPECTED }),
    not_run: z
      .record(z.string(), z.string())
      .meta({ description: 'Reasons why active check types have no outcome, by name.' }),
    expected_pings: z.array(time).nullable().meta({
      description: 'Next ten expected pings of a heartbeat or cron monitor; null for other types.',
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
    description:
      'Checks a target once from each region of the settings, at once, with its check types, and answers what each region saw and what the verdict would be. Nothing is stored. heartbeat and cron monitors answer their next expected pings. The body is that of `POST /monitors`; with `id` it is that of `PUT /monitors/{id}`, and stored secrets are sent to the host of the saved `url` only. The response takes at most 25 seconds.',
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
