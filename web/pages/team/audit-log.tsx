import { useMemo, type ReactNode } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { useRead } from '../../app/api.ts';
import { API } from '../../app/place.ts';
import { useSession } from '../../app/session.tsx';
import { listAuditLog } from '../../client/sdk.gen.ts';
import type { AuditEntry } from '../../client/types.gen.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty, Failure, Waiting } from '../../parts/failure.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Paging } from '../../parts/paging.tsx';
import { DayTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { AuditFilters } from './audit-filters.tsx';
import { actorOf, deedOf, pathOf } from './audit-entry.ts';
import {
  changesOf,
  readAuditFilter,
  writeAuditFilter,
  type AuditFilter,
  type FieldChange,
} from './audit-filter.ts';

/** Who changed what, when, and how. */
export default function AuditLogPage(): ReactNode {
  const { isAtLeast } = useSession();
  const [, navigate] = useLocation();
  const search = useSearch();
  const filter = useMemo(() => readAuditFilter(search), [search]);
  const { auditLog } = words;
  const change = (next: AuditFilter) =>
    navigate(`/audit-log${writeAuditFilter(next)}`, { replace: true });
  if (!isAtLeast('admin')) return <PageHead title={auditLog.title} text={auditLog.onlyAdmins} />;
  const csv = writeAuditFilter({ ...filter, page: 1 });
  return (
    <>
      <PageHead
        title={auditLog.title}
        text={auditLog.intro}
        actions={
          <a className="btn" href={`${API}/audit-log${csv === '' ? '?' : `${csv}&`}format=csv`}>
            {auditLog.download}
          </a>
        }
      />
      <AuditFilters filter={filter} onChange={change} />
      <Entries filter={filter} onChange={change} />
    </>
  );
}

function Entries({
  filter,
  onChange,
}: {
  filter: AuditFilter;
  onChange: (filter: AuditFilter) => void;
}): ReactNode {
  const { auditLog } = words;
  const query = Object.fromEntries(
    Object.entries({ ...filter, per_page: 50 }).filter(([, value]) => value !== ''),
  );
  const list = useRead(['audit-log', query], () => listAuditLog({ query }));
  if (list.data === undefined && list.error)
    return <Failure error={list.error} retry={() => void list.refetch()} />;
  if (list.data === undefined) return <Waiting lines={8} />;
  const { data, current_page, last_page } = list.data;
  return (
    <Card>
      {data.length === 0 ? (
        <Empty title={auditLog.none}>
          <Button onClick={() => onChange(readAuditFilter(''))}>{auditLog.showAll}</Button>
        </Empty>
      ) : (
        <ul className="account-rows audit">
          {data.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
      <Paging
        page={current_page}
        last={last_page}
        onChange={(page) => onChange({ ...filter, page })}
      />
    </Card>
  );
}

function Entry({ entry }: { entry: AuditEntry }): ReactNode {
  const { auditLog } = words;
  const { actor, via, token_name, ip_address, before, after } = entry;
  const changes = changesOf(before, after);
  return (
    <li>
      <div>
        <p>
          <Actor actor={actor} via={via} /> <Deed entry={entry} />
        </p>
        <p className="account-facts">
          <span>{howOf(via, token_name)}</span>
          {ip_address !== null && <span>{ip_address}</span>}
        </p>
        {changes.length > 0 && (
          <details>
            <summary>{auditLog.changed(namesOf(changes))}</summary>
            <dl className="audit-changes">
              {changes.map((change) => (
                <div key={change.field}>
                  <dt className="mono">{change.field}</dt>
                  <dd>
                    {change.before !== '' && <del>{change.before}</del>}{' '}
                    {change.after !== '' && <ins>{change.after}</ins>}
                  </dd>
                </div>
              ))}
            </dl>
          </details>
        )}
      </div>
      <span className="xs dim">
        <DayTime time={entry.created_at} />
      </span>
    </li>
  );
}

function Actor({ actor, via }: Pick<AuditEntry, 'actor' | 'via'>): ReactNode {
  const { name, email } = actorOf(actor.name);
  return (
    <span className="b" title={email ?? undefined}>
      {via === 'operator' && actor.id === null ? words.auditLog.operator : name}
    </span>
  );
}

/** What was done, with a link to the thing where it has a page. */
function Deed({ entry }: { entry: AuditEntry }): ReactNode {
  const { before, name, after } = deedOf(
    words.auditLog.actions[entry.action] ?? (() => entry.action),
    entry.target.name,
  );
  const path = pathOf(entry);
  return (
    <>
      {before}
      {path === null ? (
        <span className="audit-name">{name}</span>
      ) : (
        <Link className="link audit-name" href={path}>
          {name}
        </Link>
      )}
      {after}
    </>
  );
}

function howOf(via: AuditEntry['via'], credential: string | null): string {
  const { vias, byToken, byAssistant } = words.auditLog;
  if (credential === null) return vias[via];
  return via === 'tool_server' ? byAssistant(credential) : byToken(credential);
}

/** Fields that are named before the entry is opened. */
const MAX_NAMED = 4;

function namesOf(changes: readonly FieldChange[]): string[] {
  const names = changes.slice(0, MAX_NAMED).map(({ field }) => field);
  return changes.length > MAX_NAMED ? [...names, '…'] : names;
}
