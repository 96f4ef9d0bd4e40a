import { proofOf } from '../../status-page/domain-rules.ts';
import { addressOf, DOCUMENTS } from '../../status-page/facts/urls.ts';
import type { PageServiceRow } from '../../store/resources/page-services.ts';
import type { StatusPageRow } from '../../store/resources/status-pages.ts';
import { settingsOf, viewSettings } from '../common/fields.ts';
import { isoOrNull, isoTime } from '../common/time.ts';
import { urlOf, type ViewDeps } from '../monitors/view.ts';
import { accessOf, viewAccess, type PageAccess } from './access.ts';
import type { Arrangement } from './arrangement.ts';
import { PAGE_FIELDS, type PageFields } from './fields.ts';

type ShownArrangement = Arrangement & { rows: readonly PageServiceRow[] };

/** A status page in answers (contract 41.2). */
export function viewStatusPage(row: StatusPageRow, shown: ShownArrangement, deps: ViewDeps) {
  const { name, slug, description, custom_domain, settings, ...fields } = viewSettings(
    PAGE_FIELDS,
    pageFieldsOf(row),
  );
  const isVerified = row.domain_verified_at !== null;
  const place = { customDomain: isVerified ? row.custom_domain : null, slug: row.slug };
  const logo = addressOf(place, DOCUMENTS.logo(row.slug), deps.baseUrl());
  return {
    id: row.id,
    name,
    slug,
    url: addressOf(place, DOCUMENTS.page(row.slug), deps.baseUrl()),
    description,
    logo_url: row.logo_hash === null ? null : `${logo}?v=${row.logo_hash.slice(0, 8)}`,
    custom_domain,
    domain_verified: isVerified,
    domain: viewDomain(row, deps.baseUrl()),
    settings,
    ...fields,
    access: viewAccess(accessOf(row)),
    services: shown.rows.map((service, index) => ({
      monitor_id: service.monitor_id,
      label: service.label,
      display: service.display,
      show_automatic: shown.services[index]!.show_automatic,
      monitor_url: urlOf(
        { team_id: row.team_id, url: service.monitor_url, ping_token: service.monitor_ping_token },
        deps,
      ),
      monitor_status: service.monitor_status,
    })),
    groups: shown.groups,
    warnings: warningsOf(row, shown),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

/** State of the verification of a custom domain; null without one. */
function viewDomain(row: StatusPageRow, baseUrl: string) {
  if (row.custom_domain === null || row.domain_token === null) return null;
  const host = new URL(baseUrl).hostname;
  const { name, text, alias } = proofOf(row.custom_domain, row.domain_token, host);
  return {
    verified_at: isoOrNull(row.domain_verified_at),
    checked_at: isoOrNull(row.domain_checked_at),
    next_check_at: isoOrNull(row.domain_next_at),
    last_error: row.domain_error,
    /** One of them is enough. */
    records: [
      { type: 'TXT', name, value: text },
      ...(alias === null ? [] : [{ type: 'CNAME', name, value: alias }]),
    ],
    /** Host that the domain itself has to lead to. */
    target: host,
  };
}

function warningsOf(row: StatusPageRow, { services }: Arrangement): string[] {
  const isUnverified = row.custom_domain !== null && row.domain_verified_at === null;
  return [
    ...(services.length === 0 ? ['This page shows no service: add monitors.'] : []),
    ...(isUnverified
      ? [`${row.custom_domain} is not verified yet: set one of the records in domain.records.`]
      : []),
  ];
}

export function pageFieldsOf(row: StatusPageRow): PageFields {
  return settingsOf(PAGE_FIELDS, row);
}

/** What people set of a page, for the audit log: the hash is masked under its name, `password`. */
export function auditedPage(
  fields: PageFields,
  { type, password, addresses }: PageAccess,
  { services, groups }: Arrangement,
): object {
  return {
    ...viewSettings(PAGE_FIELDS, fields),
    access: { type, addresses },
    password,
    monitors: services.map(({ monitor_id: id, ...service }) => ({ id, ...service })),
    groups,
  };
}
