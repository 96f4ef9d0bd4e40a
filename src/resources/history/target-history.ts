import { z } from 'zod';
import {
  assignedTargets,
  placeOfInspections,
  readStoredTarget,
} from '../../engine/inspect/target.ts';
import { type InspectionKind, DNS_RECORD_TYPES } from '../../model/inspection.ts';
import type { Regions } from '../../model/regions.ts';
import type { Database } from '../../store/database/contract.ts';
import type { MonitorRow } from '../../store/resources/monitors.ts';
import { targetFacts, type SeenCertificate } from '../../store/engine/target-history.ts';
import { shownAs } from '../common/answer.ts';
import { requireMonitor } from '../monitors/find.ts';
import { readQuery } from '../common/input.ts';
import { UNSORTED_PAGE_QUERY, pageOf, pagingOf } from '../common/page.ts';
import { isoTime } from '../common/time.ts';
import { noun, type Call } from '../common/operation.ts';
import { textOrNull, time } from '../common/reference-schemas.ts';
import { pageExample, pageSchema } from '../common/page-reference.ts';

const targetHistoryQuery = z.object(UNSORTED_PAGE_QUERY);

/** Pages of what inspections found about a monitor's target, newest first. */
function createTargetHistoryService(deps: { database: Database; regions: Regions }) {
  const { regions } = deps;
  const db = deps.database.read;

  /** A page of what `read` finds of the monitor. */
  const list =
    <Row>(
      read: (
        row: MonitorRow,
        paging: { limit: number; offset: number },
      ) => Promise<{ rows: Row[]; total: number }>,
      view: (row: Row, since: number) => object,
    ) =>
    async ({ caller, id, query, address }: Call) => {
      const monitor = await requireMonitor(db, caller, id);
      const paging = pagingOf(readQuery(targetHistoryQuery, query), 'created_at');
      const { rows, total } = await read(monitor, paging);
      const shown = rows.map((row) => view(row, monitor.created_at));
      return pageOf(shown, total, paging, address);
    };

  return {
    listMonitorDns: list(async (row, { limit, offset }) => {
      const target = targetOf(regions, row, 'dns');
      const host = readStoredTarget(target).target;
      const found = await targetFacts(db).recordSets({
        target,
        since: row.created_at,
        limit,
        offset,
      });
      return { total: found.total, rows: found.sets.map((set) => ({ ...set, host })) };
    }, recordSets.view),

    listMonitorCertificates: list(async (row, { limit, offset }) => {
      const target = targetOf(regions, row, 'ssl');
      const found = await targetFacts(db).certificates({
        target,
        since: row.created_at,
        limit,
        offset,
      });
      return { total: found.total, rows: found.certificates };
    }, certificates.view),

    listMonitorActivities: list(async ({ id }, { limit, offset }) => {
      const { total, activities: rows } = await targetFacts(db).activities(id, limit, offset);
      return { total, rows };
    }, activities.view),
  };
}

/** Stored target of an inspection, which has a history even while its check type is off. */
function targetOf(regions: Regions, row: MonitorRow, kind: InspectionKind): string {
  const { type, url, port, team_id: teamId } = row;
  const monitored = JSON.parse(row.monitored_regions) as string[];
  const place = placeOfInspections(regions, teamId, monitored);
  const [found] = assignedTargets({ type, url, port, checkTypes: [kind], place });
  return found?.[1] ?? NO_TARGET;
}

/** Matches no stored target. */
const NO_TARGET = '';

/** Entries of a target's history. What monitors of other teams saw before this one was created stays hidden: `since`. */
interface Seen {
  id: number;
  seenAt: number;
}

const rowId = z.int().min(1);
const seenAt = time.meta({ description: 'When it was first seen since the monitor was created.' });
const seenSince = (one: Seen, since: number) => isoTime(Math.max(one.seenAt, since));

type RecordSet = Awaited<
  ReturnType<ReturnType<typeof targetFacts>['recordSets']>
>['sets'][number] & { host: string };

const recordSets = shownAs<RecordSet, number>()({
  id: [rowId, ({ id }) => id, 7],
  host: [z.string(), ({ host }) => host, 'www.example.com'],
  seen_at: [seenAt, seenSince, '2030-01-01T00:00:00.000Z'],
  source: [
    z.enum(['authoritative', 'resolver']).meta({
      description:
        'Source of the records: a name server of the zone, or the resolver of the machine when none can be reached.',
    }),
    ({ source }) => source,
    'authoritative',
  ],
  records: [
    z.object(
      Object.fromEntries(DNS_RECORD_TYPES.map((type) => [type, z.array(z.string())])) as Record<
        (typeof DNS_RECORD_TYPES)[number],
        z.ZodArray<z.ZodString>
      >,
    ),
    ({ records }) => records,
    {
      A: ['192.0.2.10'],
      AAAA: ['2001:db8::10'],
      CNAME: [],
      MX: ['10 mail.example.com'],
      NS: ['ns1.example.com', 'ns2.example.com'],
      TXT: ['v=spf1 -all'],
      SOA: ['ns1.example.com hostmaster.example.com'],
    },
  ],
});

const recordSet = z
  .object(recordSets.shape)
  .meta({ id: 'DnsRecordSet', description: 'DNS records of a host, valid until the next set.' });

const certificates = shownAs<SeenCertificate, number>()({
  id: [rowId, ({ id }) => id, 3],
  seen_at: [seenAt, seenSince, '2030-01-01T00:00:00.000Z'],
  address: [
    z.string().meta({ description: 'Address of the server.' }),
    ({ facts }) => facts.address,
    '192.0.2.10',
  ],
  protocol: [textOrNull, ({ facts }) => facts.protocol, 'TLSv1.3'],
  cipher: [textOrNull, ({ facts }) => facts.cipher, 'TLS_AES_256_GCM_SHA384'],
  fingerprint: [
    z.string().meta({ description: 'SHA-256, in hexadecimal.' }),
    ({ facts }) => facts.certificate.fingerprint,
    '6f1c8a0b2d3e4f5061728394a5b6c7d8e9f00112233445566778899aabbccdde',
  ],
  serial_number: [z.string(), ({ facts }) => facts.certificate.serialNumber, '03A1B2C3D4E5F6'],
  subject: [textOrNull, ({ facts }) => facts.certificate.subject, 'www.example.com'],
  issuer: [textOrNull, ({ facts }) => facts.certificate.issuer, 'R11'],
  names: [
    z.array(z.string()).meta({ description: 'DNS names and addresses of the certificate.' }),
    ({ facts }) => facts.certificate.names,
    ['example.com', 'www.example.com'],
  ],
  valid_from: [
    time,
    ({ facts }) => isoTime(facts.certificate.validFrom),
    '2029-12-01T00:00:00.000Z',
  ],
  valid_to: [time, ({ facts }) => isoTime(facts.certificate.validTo), '2030-03-01T00:00:00.000Z'],
  key_type: [textOrNull, ({ facts }) => facts.certificate.keyType, 'ec'],
  key_bits: [z.int().nullable(), ({ facts }) => facts.certificate.keyBits, 256],
  chain: [
    z.array(z.object({ subject: textOrNull, issuer: textOrNull, valid_to: time })),
    ({ facts }) =>
      facts.chain.map(({ subject, issuer, validTo }) => ({
        subject,
        issuer,
        valid_to: isoTime(validTo),
      })),
    [{ subject: 'R11', issuer: 'ISRG Root X1', valid_to: '2032-03-12T23:59:59.000Z' }],
  ],
  ocsp_status: [
    z.enum(['good', 'revoked', 'unknown', 'unreadable']).nullable().meta({
      description: 'Status in the OCSP staple of the server; null without one.',
    }),
    ({ facts }) => facts.ocsp?.status ?? null,
    null,
  ],
  error: [
    textOrNull.meta({ description: 'Why the certificate is invalid; null when it is valid.' }),
    ({ facts }) => facts.fault?.text ?? null,
    null,
  ],
});

const certificate = z.object(certificates.shape).meta({
  id: 'Certificate',
  description: 'Certificate of a host and port, valid until the next one.',
});

type Activity = Awaited<
  ReturnType<ReturnType<typeof targetFacts>['activities']>
>['activities'][number];

const activities = shownAs<Activity, number>()({
  id: [rowId, ({ id }) => id, 12],
  type: [
    z.enum(['dns_changed', 'certificate_changed']),
    ({ type }) => type as 'dns_changed' | 'certificate_changed',
    'dns_changed',
  ],
  description: [
    z.string(),
    ({ description }) => description,
    'DNS records changed: A added 192.0.2.11, removed 192.0.2.10.',
  ],
  created_at: [time, ({ created_at }) => isoTime(created_at), '2030-01-01T00:05:00.000Z'],
});

const activity = z
  .object(activities.shape)
  .meta({ id: 'MonitorActivity', description: 'Change of the target of a monitor.' });

const KEPT = 'The newest 500 are kept. Entries start when the monitor was created.';

export const targetHistory = noun('Monitors', createTargetHistoryService, {
  listMonitorDns: {
    at: 'GET /monitors/:id/dns',
    summary: 'List DNS records',
    description: `Records found by the check type \`dns\`, one entry per change, newest first. ${KEPT}`,
    query: targetHistoryQuery,
    answer: pageSchema(recordSet, 'DnsRecordSetPage'),
    example: {
      answer: pageExample('/monitors/1/dns', [recordSets.example]),
    },
  },
  listMonitorCertificates: {
    at: 'GET /monitors/:id/certificates',
    summary: 'List certificates',
    description: `Certificates found by the check type \`ssl\`, one entry per change, newest first. ${KEPT}`,
    query: targetHistoryQuery,
    answer: pageSchema(certificate, 'CertificatePage'),
    example: {
      answer: pageExample('/monitors/1/certificates', [certificates.example]),
    },
  },
  listMonitorActivities: {
    at: 'GET /monitors/:id/activities',
    summary: 'List activities',
    description:
      'Changes of DNS records and certificates that are no problem, newest first. The newest 500 are kept.',
    query: targetHistoryQuery,
    answer: pageSchema(activity, 'MonitorActivityPage'),
    example: {
      answer: pageExample('/monitors/1/activities', [activities.example]),
    },
  },
});
