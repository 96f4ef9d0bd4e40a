import { z } from 'zod';
import type { Caller } from '../../identity/caller.ts';
import { inspectionTargets } from '../../engine/inspect/target.ts';
import type { InspectionKind } from '../../model/inspection.ts';
import type { Database } from '../../store/database/contract.ts';
import { findMonitor } from '../../store/resources/monitors.ts';
import type { MonitorRow } from '../../store/resources/monitors.ts';
import {
  listCertificates,
  listMonitorActivities,
  listRecordSets,
} from '../../store/engine/target-history.ts';
import type { SeenCertificate } from '../../store/engine/target-history.ts';
import { authorise, notFound } from '../common/errors.ts';
import { readQuery } from '../common/input.ts';
import { PAGE_QUERY, pageOf, pagingOf, type ListAddress, type Page } from '../common/page.ts';
import { isoTime } from '../common/time.ts';

/** What was seen of a monitor's target over time: pages, the newest first. Other teams' monitors are not found. */
export interface TargetHistoryService {
  /** The DNS records of its host, one entry for each time that they changed. */
  listDns(caller: Caller, id: number, query: object, address: ListAddress): Promise<Page<object>>;
  /** The certificates of its host and port, one entry for each time that another one was seen. */
  listCertificates(
    caller: Caller,
    id: number,
    query: object,
    address: ListAddress,
  ): Promise<Page<object>>;
  /** What changed without being a trouble. */
  listActivities(
    caller: Caller,
    id: number,
    query: object,
    address: ListAddress,
  ): Promise<Page<object>>;
}

export const targetHistoryQuery = z.object({
  page: PAGE_QUERY.page,
  per_page: PAGE_QUERY.per_page,
});

export function createTargetHistoryService({
  database,
}: {
  database: Database;
}): TargetHistoryService {
  async function mustFind(caller: Caller, id: number): Promise<MonitorRow> {
    authorise(caller, 'read');
    const row = await findMonitor(database.read, caller.team.id, id);
    if (row === undefined) throw notFound('monitor');
    return row;
  }

  return {
    async listDns(caller, id, query, address) {
      const row = await mustFind(caller, id);
      const paging = pagingOf(readQuery(targetHistoryQuery, query), 'seen_at');
      const wanted = { ...paging, target: targetOf(row, 'dns'), since: row.created_at };
      const { total, sets } = await listRecordSets(database.read, wanted);
      const entries = sets.map((set) => ({
        id: set.id,
        host: wanted.target,
        seen_at: isoTime(Math.max(set.seenAt, row.created_at)),
        source: set.source,
        records: set.records,
      }));
      return pageOf(entries, total, paging, address);
    },

    async listCertificates(caller, id, query, address) {
      const row = await mustFind(caller, id);
      const paging = pagingOf(readQuery(targetHistoryQuery, query), 'seen_at');
      const wanted = { ...paging, target: targetOf(row, 'ssl'), since: row.created_at };
      const { total, certificates } = await listCertificates(database.read, wanted);
      const entries = certificates.map((one) => viewCertificate(one, row.created_at));
      return pageOf(entries, total, paging, address);
    },

    async listActivities(caller, id, query, address) {
      await mustFind(caller, id);
      const paging = pagingOf(readQuery(targetHistoryQuery, query), 'created_at');
      const { limit, offset } = paging;
      const { total, activities } = await listMonitorActivities(database.read, id, limit, offset);
      const entries = activities.map((row) => ({
        id: row.id,
        type: row.type,
        description: row.description,
        created_at: isoTime(row.created_at),
      }));
      return pageOf(entries, total, paging, address);
    },
  };
}

/** Whether or not the check type is on now: what was seen while it was is kept as long as anybody looks there. */
function targetOf({ type, url, port }: MonitorRow, kind: InspectionKind): string {
  const found = inspectionTargets({ type, url, port, checkTypes: [kind] })[kind];
  return found && 'target' in found ? found.target : NOTHING;
}

/** The name of no target. */
const NOTHING = '';

/** Others may have watched before `since` (epoch ms): that is told to nobody. */
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
