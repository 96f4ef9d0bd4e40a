import { z } from 'zod';
import type { Caller } from '../../identity/caller.ts';
import {
  assignedTargets,
  placeOfInspections,
  readStoredTarget,
} from '../../engine/inspect/target.ts';
import { type InspectionKind, DNS_RECORD_TYPES } from '../../model/inspection.ts';
import type { Regions } from '../../model/regions.ts';
import type { Database } from '../../store/database/contract.ts';
import type { MonitorRow } from '../../store/resources/monitors.ts';
import {
  listCertificates,
  listMonitorActivities,
  listRecordSets,
} from '../../store/engine/target-history.ts';
import type { SeenCertificate } from '../../store/engine/target-history.ts';
import { authorize } from '../common/errors.ts';
import { requireMonitor } from '../monitors/find.ts';
import { readQuery } from '../common/input.ts';
import {
  UNSORTED_PAGE_QUERY,
  pageOf,
  pagingOf,
  type ListAddress,
  type Page,
} from '../common/page.ts';
import { isoTime } from '../common/time.ts';
import { noun } from '../common/operation.ts';
import { textOrNull, time } from '../common/reference-schemas.ts';
import { pageExample, pageSchema } from '../common/page-reference.ts';

type ListEntries = (
  caller: Caller,
  id: number,
  query: object,
  address: ListAddress,
) => Promise<Page<object>>;
const targetHistoryQuery = z.object(UNSORTED_PAGE_QUERY);

/** Pages of what inspections found about a monitor's target, newest first. */
function createTargetHistoryService(deps: { database: Database; regions: Regions }) {
  const { regions } = deps;
  const db = deps.database.read;

  const list =
    (
      read: (
        row: MonitorRow,
        paging: { limit: number; offset: number },
      ) => Promise<{ entries: object[]; total: number }>,
    ): ListEntries =>
    async (caller, id, query, address) => {
      authorize(caller, 'read');
      const row = await requireMonitor(db, caller, id);
      const paging = pagingOf(readQuery(targetHistoryQuery, query), 'created_at');
      const { entries, total } = await read(row, paging);
      return pageOf(entries, total, paging, address);
    };

  return {
    /** DNS records of the host, one entry per change. */
    listDns: list(async (row, { limit, offset }) => {
      const { created_at: since } = row;
      const target = targetOf(regions, row, 'dns');
      const host = readStoredTarget(target).target;
      const { total, sets } = await listRecordSets(db, { target, since, limit, offset });
      const entries = sets.map(({ id, seenAt, source, records }) => ({
        id,
        host,
        seen_at: isoTime(Math.max(seenAt, since)),
        source,
        records,
      }));
      return { entries, total };
    }),

    /** Certificates of the host and port, one entry per change. */
    listCertificates: list(async (row, { limit, offset }) => {
      const { created_at: since } = row;
      const wanted = { target: targetOf(regions, row, 'ssl'), since, limit, offset };
      const { total, certificates } = await listCertificates(db, wanted);
      return { entries: certificates.map((one) => viewCertificate(one, since)), total };
    }),

    /** Changes that are no problem. */
    listActivities: list(async ({ id: monitorId }, { limit, offset }) => {
      const { total, activities } = await listMonitorActivities(db, monitorId, limit, offset);
      const entries = activities.map(({ id, type, description, created_at }) => ({
        id,
        type,
        description,
        created_at: isoTime(created_at),
      }));
      return { entries, total };
    }),
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

/** @param since epoch milliseconds at which the monitor was created; what other teams' monitors saw earlier stays hidden. */
function viewCertificate({ id, seenAt, facts }: SeenCertificate, since: number) {
  const { certificate } = facts;
  return {
    id,
    seen_at: isoTime(Math.max(seenAt, since)),
    address: facts.address,
    protocol: facts.protocol,
    cipher: facts.cipher,
    fingerprint: certificate.fingerprint,
    serial_number: certificate.serialNumber,
    subject: certificate.subject,
    issuer: certificate.issuer,
    names: certificate.names,
    valid_from: isoTime(certificate.validFrom),
    valid_to: isoTime(certificate.validTo),
    key_type: certificate.keyType,
    key_bits: certificate.keyBits,
    chain: facts.chain.map((link) => ({
      subject: link.subject,
      issuer: link.issuer,
      valid_to: isoTime(link.validTo),
    })),
    ocsp_status: facts.ocsp?.status ?? null,
    error: facts.fault?.text ?? null,
  };
}

const rowId = z.int().min(1);
const seenAt = time.meta({ description: 'When it was first seen since the monitor was created.' });

const recordSet = z
  .object({
    id: rowId,
    host: z.string(),
    seen_at: seenAt,
    source: z.enum(['authoritative', 'resolver']).meta({
      description:
        'Source of the records: a name server of the zone, or the resolver of the machine when none can be reached.',
    }),
    records: z.object(
      Object.fromEntries(DNS_RECORD_TYPES.map((type) => [type, z.array(z.string())])) as Record<
        (typeof DNS_RECORD_TYPES)[number],
        z.ZodArray<z.ZodString>
      >,
    ),
  })
  .meta({ id: 'DnsRecordSet', description: 'DNS records of a host, valid until the next set.' });

const certificate = z
  .object({
    id: rowId,
    seen_at: seenAt,
    address: z.string().meta({ description: 'Address of the server.' }),
    protocol: textOrNull,
    cipher: textOrNull,
    fingerprint: z.string().meta({ description: 'SHA-256, in hexadecimal.' }),
    serial_number: z.string(),
    subject: textOrNull,
    issuer: textOrNull,
    names: z.array(z.string()).meta({ description: 'DNS names and addresses of the certificate.' }),
    valid_from: time,
    valid_to: time,
    key_type: textOrNull,
    key_bits: z.int().nullable(),
    chain: z.array(
      z.object({
        subject: textOrNull,
        issuer: textOrNull,
        valid_to: time,
      }),
    ),
    ocsp_status: z.enum(['good', 'revoked', 'unknown', 'unreadable']).nullable().meta({
      description: 'Status in the OCSP staple of the server; null without one.',
    }),
    error: textOrNull.meta({
      description: 'Why the certificate is invalid; null when it is valid.',
    }),
  })
  .meta({
    id: 'Certificate',
    description: 'Certificate of a host and port, valid until the next one.',
  });

const activity = z
  .object({
    id: rowId,
    type: z.enum(['dns_changed', 'certificate_changed']),
    description: z.string(),
    created_at: time,
  })
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
      answer: pageExample('/monitors/1/dns', [
        {
          id: 7,
          host: 'www.example.com',
          seen_at: '2030-01-01T00:00:00.000Z',
          source: 'authoritative',
          records: {
            A: ['192.0.2.10'],
            AAAA: ['2001:db8::10'],
            CNAME: [],
            MX: ['10 mail.example.com'],
            NS: ['ns1.example.com', 'ns2.example.com'],
            TXT: ['v=spf1 -all'],
            SOA: ['ns1.example.com hostmaster.example.com'],
          },
        },
      ]),
    },
    handle: (its, { caller, id, query, address }) => its.listDns(caller, id, query, address),
  },
  listMonitorCertificates: {
    at: 'GET /monitors/:id/certificates',
    summary: 'List certificates',
    description: `Certificates found by the check type \`ssl\`, one entry per change, newest first. ${KEPT}`,
    query: targetHistoryQuery,
    answer: pageSchema(certificate, 'CertificatePage'),
    example: {
      answer: pageExample('/monitors/1/certificates', [
        {
          id: 3,
          seen_at: '2030-01-01T00:00:00.000Z',
          address: '192.0.2.10',
          protocol: 'TLSv1.3',
          cipher: 'TLS_AES_256_GCM_SHA384',
          fingerprint: '6f1c8a0b2d3e4f5061728394a5b6c7d8e9f00112233445566778899aabbccdde',
          serial_number: '03A1B2C3D4E5F6',
          subject: 'www.example.com',
          issuer: 'R11',
          names: ['example.com', 'www.example.com'],
          valid_from: '2029-12-01T00:00:00.000Z',
          valid_to: '2030-03-01T00:00:00.000Z',
          key_type: 'ec',
          key_bits: 256,
          chain: [{ subject: 'R11', issuer: 'ISRG Root X1', valid_to: '2032-03-12T23:59:59.000Z' }],
          ocsp_status: null,
          error: null,
        },
      ]),
    },
    handle: (its, { caller, id, query, address }) =>
      its.listCertificates(caller, id, query, address),
  },
  listMonitorActivities: {
    at: 'GET /monitors/:id/activities',
    summary: 'List activities',
    description:
      'Changes of DNS records and certificates that are no problem, newest first. The newest 500 are kept.',
    query: targetHistoryQuery,
    answer: pageSchema(activity, 'MonitorActivityPage'),
    example: {
      answer: pageExample('/monitors/1/activities', [
        {
          id: 12,
          type: 'dns_changed',
          description: 'DNS records changed: A added 192.0.2.11, removed 192.0.2.10.',
          created_at: '2030-01-01T00:05:00.000Z',
        },
      ]),
    },
    handle: (its, { caller, id, query, address }) => its.listActivities(caller, id, query, address),
  },
});
