import { z } from 'zod';
import { CHANGING } from '../common/changing.ts';
import type { Timings } from '../../model/check.ts';
import { ACTIVITY_TYPES, type ActivityType, type RegionEvidence } from '../../model/incident.ts';
import type { ActivityRow } from '../../store/resources/incidents.ts';
import { shownAs } from '../common/answer.ts';
import { textOrNull, time, timings } from '../common/reference-schemas.ts';
import { isoTime, tenths } from '../common/time.ts';
import { incidentFields } from './facts.ts';

const lines = shownAs<ActivityRow>()({
  id: [z.int(), ({ id }) => id, 1],
  type: [
    z.enum(ACTIVITY_TYPES).meta({ description: 'More types may be added.' }),
    ({ type }) => type as ActivityType,
    'opened',
  ],
  description: [
    z.string().meta({ description: 'A sentence for people; the text of a note.' }),
    ({ description }) => description,
    'Alice opened the incident: The database is being moved.',
  ],
  user: [
    z
      .object({ id: z.int(), name: textOrNull })
      .nullable()
      .meta({ description: 'Null when Tocsin itself did it.' }),
    ({ person_id: id, person_name: name }) => (id === null ? null : { id, name }),
    { id: 1, name: 'Alice' },
  ],
  created_at: [time, ({ created_at }) => isoTime(created_at), '2030-01-01T00:01:00.000Z'],
});

/** A line in the log of an incident. */
export const activity = z
  .object(lines.shape)
  .meta({ id: 'IncidentActivity', description: 'Line in the log of an incident.' });

export const viewActivity = lines.view;
export const EXAMPLE_ACTIVITY = lines.example;

export function viewTimings(of: Timings) {
  return {
    dns_ms: tenths(of.dnsMs),
    tcp_ms: tenths(of.tcpMs),
    tls_ms: tenths(of.tlsMs),
    ttfb_ms: tenths(of.ttfbMs),
    total_ms: tenths(of.totalMs),
  };
}

type Tls = NonNullable<NonNullable<RegionEvidence['answer']>['tls']>;

const link = shownAs<Tls['chain'][number]>()({
  subject: [textOrNull, ({ subject }) => subject],
  issuer: [textOrNull, ({ issuer }) => issuer],
  valid_to: [textOrNull, ({ validTo }) => validTo],
});

const tls = shownAs<Tls>()({
  protocol: [textOrNull, ({ protocol }) => protocol],
  subject: [textOrNull, ({ subject }) => subject],
  issuer: [textOrNull, ({ issuer }) => issuer],
  valid_from: [textOrNull, ({ validFrom }) => validFrom],
  valid_to: [textOrNull, ({ validTo }) => validTo],
  cipher: [textOrNull, ({ cipher }) => cipher],
  chain: [
    z
      .array(z.object(link.shape))
      .meta({ description: 'Further certificates of the chain, at most 10.' }),
    ({ chain }) => chain.map((one) => link.view(one)),
  ],
});

const results = shownAs<RegionEvidence>()({
  region: [
    textOrNull.meta({ description: 'Null for an inspection, which has no region.' }),
    ({ region }) => region,
  ],
  vantage: [
    textOrNull.meta({
      description:
        'Name of the machine that ran the check. Regions with the same vantage are one place.',
    }),
    ({ vantage }) => vantage ?? null,
  ],
  checked_at: [time, ({ checkedAt }) => isoTime(checkedAt)],
  attempts: [
    z.array(time).meta({
      description: 'Times of its failures in the rounds that confirmed the problem, at most ten.',
    }),
    ({ attempts }) => attempts.map(isoTime),
  ],
  failure: [
    z
      .object({
        code: z.string().meta({ description: 'Stable across versions, such as `dns_timeout`.' }),
        text: z.string(),
      })
      .nullable()
      .meta({ description: 'Null for a region without a failure.' }),
    ({ failure }) => failure && { code: failure.code, text: failure.text },
  ],
  status_code: [z.int().nullable(), ({ statusCode }) => statusCode],
  remote_address: [textOrNull, ({ remoteAddress }) => remoteAddress],
  timings: [timings, (one) => viewTimings(one.timings)],
  status_line: [textOrNull, ({ answer }) => answer?.statusLine ?? null],
  headers: [
    z
      .record(z.string(), z.string())
      .nullable()
      .meta({ description: 'Headers of the response, without secrets.' }),
    ({ answer }) => answer?.headers ?? null,
  ],
  body: [
    textOrNull.meta({ description: 'First 4 KiB of the response as text.' }),
    ({ answer }) => answer?.body ?? null,
  ],
  redirects: [
    z.array(z.string()).meta({ description: 'URLs of the redirects that were followed.' }),
    ({ answer }) => answer?.redirects ?? [],
  ],
  tls: [
    z.object(tls.shape).nullable().meta({ description: 'Certificate of the server.' }),
    ({ answer }) => (answer?.tls ? tls.view(answer.tls) : null),
  ],
});

const evidence = z.object(results.shape).meta({
  id: 'IncidentEvidence',
  description: 'Result of one region, or of an inspection, when the incident opened.',
});

/** @param row with stored `RegionEvidence`. */
export function viewEvidence({ evidence: json }: { evidence: string }) {
  return results.view(JSON.parse(json) as RegionEvidence);
}

export const incidentDetail = z
  .object({
    ...incidentFields,
    unobserved_seconds: z.int().nullable().meta({
      description:
        'How much of its duration nothing was observed, as in the uptime of the monitor: no downtime is claimed for it. Null when nothing is recorded of that time.',
    }),
    activities: z.array(activity).meta({ description: 'Log, oldest line first.' }),
    evidence: z.array(evidence).meta({
      description: 'One per region, also for regions without a failure; one for an inspection.',
    }),
  })
  .meta({ id: 'IncidentDetail', description: 'An incident with its log and evidence.' })
  .register(CHANGING, {
    fields: ['counted_as', 'monitor', 'unobserved_seconds', 'activities', 'evidence'],
  });
