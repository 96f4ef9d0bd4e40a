import { z } from 'zod';
import type { Caller } from '../../identity/caller.ts';
import { inspectionTargets } from '../../engine/inspect/target.ts';
import type { InspectionKind } from '../../model/inspection.ts';
import type { Database } from '../../store/database/contract.ts';
import type { MonitorRow } from '../../store/resources/monitors.ts';
import {
  listCertificates,
  listMonitorActivities,
  listRecordSets,
} from '../../store/engine/target-history.ts';
import type { SeenCertificate } from '../../store/engine/target-history.ts';
import { authorise } from '../common/errors.ts';
import { requireMonitor } from '../monitors/find.ts';
import { readQuery } from '../common/input.ts';
import { PAGE_QUERY, pageOf, pagingOf, type ListAddress, type Page } from '../common/page.ts';
import { isoTime } from '../common/time.ts';

/** Pages of what inspections found about a monitor's target, newest first. */
export interface TargetHistoryService {
  /** DNS records of the host, one entry per change. */
  listDns(caller: Caller, id: number, query: object, address: ListAddress): Promise<Page<object>>;
  /** Certificates of the host and port, one entry per change. */
  listCertificates(
    caller: Caller,
    id: number,
    query: object,
    address: ListAddress,
  ): Promise<Page<object>>;
  /** Changes that are no problem. */
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
  function findTarget(caller: Caller, id: number): Promise<MonitorRow> {
    authorise(caller, 'read');
    return requireMonitor(database.read, caller, id);
  }

  return {
    async listDns(caller, id, query, address) {
      const row = await findTarget(caller, id);
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
      const row = await findTarget(caller, id);
      const paging = pagingOf(readQuery(targetHistoryQuery, query), 'seen_at');
      const wanted = { ...paging, target: targetOf(row, 'ssl'), since: row.created_at };
      const { total, certificates } = await listCertificates(database.read, wanted);
      const entries = certificates.map((one) => viewCertificate(one, row.created_at));
      return pageOf(entries, total, paging, address);
    },

    async listActivities(caller, id, query, address) {
      await findTarget(caller, id);
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

/** Target of an inspection, which has a history even while its check type is off. */
function targetOf({ type, url, port }: MonitorRow, kind: InspectionKind): string {
  const found = inspectionTargets({ type, url, port, checkTypes: [kind] })[kind];
  return found && 'target' in found ? found.target : NO_TARGET;
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
