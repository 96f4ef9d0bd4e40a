import { noun } from '../common/operation.ts';
import { createTargetHistoryService } from './target-history.ts';
import { z } from 'zod';
import { DNS_RECORD_TYPES } from '../../model/inspection.ts';
import { targetHistoryQuery } from './target-history.ts';
import { textOrNull, time } from '../common/reference-schemas.ts';
import { pageExample, pageOf } from '../common/page-reference.ts';

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
    answer: pageOf(recordSet, 'DnsRecordSetPage'),
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
    answer: pageOf(certificate, 'CertificatePage'),
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
    answer: pageOf(activity, 'MonitorActivityPage'),
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
