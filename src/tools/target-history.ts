import { z } from 'zod';
import { dnsRecords, viewRecords } from './checks.ts';
import { time } from './common.ts';
import { MONITOR_PATH } from './monitors.ts';
import { cut } from './shorten.ts';
import { fromTarget, fromTeam, targetText } from './target-text.ts';
import { listTool, type Tool, type View } from './tool.ts';

const total = z.int().optional();
const HOST_LENGTH = 255;

interface RecordSetAnswer {
  id: number;
  host: string;
  seen_at: string;
  source: string;
  records: Record<string, string[]>;
}

const recordSet = z.object({
  id: z.int(),
  seen_at: time,
  host: z.string(),
  source: z.string().meta({ description: 'authoritative: a name server of the zone.' }),
  ...dnsRecords().shape,
});

interface CertificateAnswer {
  id: number;
  seen_at: string;
  address: string;
  protocol: string | null;
  cipher: string | null;
  fingerprint: string;
  serial_number: string;
  subject: string | null;
  issuer: string | null;
  names: string[];
  valid_from: string;
  valid_to: string;
  key_type: string | null;
  key_bits: number | null;
  chain: { subject: string | null; issuer: string | null; valid_to: string }[];
  ocsp_status: string | null;
  error: string | null;
}

const certificate = z.object({
  id: z.int(),
  seen_at: time,
  subject: targetText.nullable(),
  issuer: targetText.nullable(),
  names: z.array(targetText),
  names_total: total,
  valid_from: time,
  valid_to: time,
  error: targetText.nullable().meta({ description: 'Why it is invalid; null when it is valid.' }),
  fingerprint: z.string().optional().meta({ description: 'SHA-256.' }),
  serial_number: targetText.optional(),
  address: z.string().optional(),
  protocol: z.string().nullable().optional(),
  cipher: z.string().nullable().optional(),
  key_type: z.string().nullable().optional(),
  key_bits: z.int().nullable().optional(),
  ocsp_status: z.string().nullable().optional(),
  chain: z
    .array(
      z.object({
        subject: targetText.nullable(),
        issuer: targetText.nullable(),
        valid_to: time,
      }),
    )
    .optional(),
  chain_total: total,
});

function viewCertificate(answer: CertificateAnswer, view: View): z.input<typeof certificate> {
  const text = (value: string | null) => fromTarget(value, view.textLimit);
  const names = answer.names.map((one) => fromTarget(one, view.textLimit));
  return {
    id: answer.id,
    seen_at: answer.seen_at,
    subject: text(answer.subject),
    issuer: text(answer.issuer),
    ...cut('names', names, view.itemLimit),
    valid_from: answer.valid_from,
    valid_to: answer.valid_to,
    error: text(answer.error),
    ...(view.detail && {
      fingerprint: answer.fingerprint,
      serial_number: fromTarget(answer.serial_number, view.textLimit),
      address: answer.address,
      protocol: answer.protocol,
      cipher: answer.cipher,
      key_type: answer.key_type,
      key_bits: answer.key_bits,
      ocsp_status: answer.ocsp_status,
      ...cut(
        'chain',
        answer.chain.map(({ subject, issuer, valid_to }) => ({
          subject: text(subject),
          issuer: text(issuer),
          valid_to,
        })),
        view.itemLimit,
      ),
    }),
  };
}

interface ActivityAnswer {
  id: number;
  type: string;
  description: string;
  created_at: string;
}

/** What was found about the targets of monitors. */
export const TARGET_HISTORY_TOOLS: readonly Tool[] = [
  listTool({
    name: 'list_dns_history',
    operation: 'listMonitorDns',
    description:
      'Lists the DNS records of a monitor with the check type dns, one entry for each change, newest first.',
    path: MONITOR_PATH,
    items: 'record_sets',
    item: recordSet,
    viewItem: (answer: RecordSetAnswer, view) => ({
      id: answer.id,
      seen_at: answer.seen_at,
      host: fromTeam(answer.host, HOST_LENGTH),
      source: answer.source,
      ...viewRecords(answer.records, view),
    }),
  }),
  listTool({
    name: 'list_certificates',
    operation: 'listMonitorCertificates',
    description:
      'Lists the certificates of a monitor with the check type ssl, one entry for each change, newest first.',
    path: MONITOR_PATH,
    hasDetail: true,
    items: 'certificates',
    item: certificate,
    viewItem: viewCertificate,
  }),
  listTool({
    name: 'list_monitor_activities',
    operation: 'listMonitorActivities',
    title: 'List changes of DNS records and certificates',
    description:
      'Lists changes of the DNS records and certificates of a monitor that are no problem, newest first. For problems, use list_incidents.',
    path: MONITOR_PATH,
    items: 'activities',
    item: z.object({
      id: z.int(),
      type: z.string(),
      description: targetText,
      created_at: time,
    }),
    viewItem: (answer: ActivityAnswer, view) => ({
      id: answer.id,
      type: answer.type,
      description: fromTarget(answer.description, view.textLimit),
      created_at: answer.created_at,
    }),
  }),
];
