import { useId, useMemo } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { useRead } from '../../app/api.ts';
import { type AuditEntry } from '../../app/client.ts';
import { API } from '../../app/place.ts';
import { useSession } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { Card, Empty, isLoaded, Loading, PageHead, Paging } from '../../parts/page.tsx';
import { DayTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { actorOf, deedOf, pathOf } from './audit-entry.ts';
import {
  changesOf,
  readAuditFilter,
  writeAuditFilter,
  type AuditFilter,
  type FieldChange,
} from './audit-filter.ts';
import { Select } from '../../parts/form.tsx';

/** Who changed what, when, and how. */
export default function AuditLogPage() {
  const { isAtLeast } = useSession();
  const [, navigate] = useLocation();
  const search = useSearch();
  const filter = useMemo(() => readAuditFilter(search), [search]);
  const { auditLog } = words;
  const change = (next: AuditFilter) =>
    navigate(`/audit-log${writeAuditFilter(next)}`, { replace: true });
  if (!isAtLeast('admin'))
    return <PageHead title={words.nav.auditLog} text={auditLog.onlyAdmins} />;
  const csv = writeAuditFilter({ ...filter, page: 1 });
  return (
    <>
      <PageHead
        title={words.nav.auditLog}
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

function Entries(props: { filter: AuditFilter; onChange: (filter: AuditFilter) => void }) {
  const { filter, onChange } = props;
  const { auditLog } = words;
  const query = Object.fromEntries(
    Object.entries({ ...filter, per_page: 50 }).filter(([, value]) => value !== ''),
  );
  const list = useRead('listAuditLog', { query });
  if (!isLoaded(list)) return <Loading reads={[list]} lines={8} />;
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

function Entry({ entry }: { entry: AuditEntry }) {
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

function Actor({ actor, via }: Pick<AuditEntry, 'actor' | 'via'>) {
  const { name, email } = actorOf(actor.name);
  return (
    <span className="b" title={email ?? undefined}>
      {via === 'operator' && actor.id === null ? words.auditLog.operator : name}
    </span>
  );
}

/** What was done, with a link to the thing where it has a page. */
function Deed({ entry }: { entry: AuditEntry }) {
  const { before, name, after } = deedOf(
    words.auditLog.actions[entry.action] ?? entry.action,
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

/** Choices of what the log shows. */
function AuditFilters(props: { filter: AuditFilter; onChange: (filter: AuditFilter) => void }) {
  const { filter, onChange } = props;
  const { auditLog } = words;
  const people = useRead('listUsers');
  const set = (changes: Partial<AuditFilter>) => onChange({ ...filter, ...changes, page: 1 });
  return (
    <form className="audit-filters" onSubmit={(event) => event.preventDefault()}>
      <Pick
        label={auditLog.person}
        value={filter.user_id}
        options={(people.data?.data ?? []).map(({ id, name }) => [String(id), name])}
        onChange={(user_id) => set({ user_id })}
      />
      <Pick
        label={auditLog.target}
        value={filter.target_type}
        options={Object.entries(auditLog.targets)}
        onChange={(target_type) => set({ target_type, action: '' })}
      />
      <Pick
        label={auditLog.action}
        value={filter.action}
        options={Object.entries(auditLog.actions)
          .filter(([action]) => isOf(action, filter.target_type))
          .map(([action, phrase]) => [action, phrase.replace('#', '…')])}
        onChange={(action) => set({ action })}
      />
      {(['start_date', 'end_date'] as const).map((name) => (
        <div key={name}>
          <label htmlFor={`audit-${name}`}>{auditLog[name]}</label>
          <input
            className="control"
            type="date"
            id={`audit-${name}`}
            value={filter[name]}
            onChange={({ target }) => set({ [name]: target.value })}
          />
        </div>
      ))}
      <Button onClick={() => onChange(readAuditFilter(''))}>{auditLog.showAll}</Button>
    </form>
  );
}

function isOf(action: string, target: string): boolean {
  return target === '' || action.startsWith(`${target}.`);
}

/** List to choose one from, or all. A chosen value that the list does not have stays. */
function Pick(props: {
  label: string;
  value: string;
  options: readonly (readonly [string, string])[];
  onChange: (value: string) => void;
}) {
  const { label, value, options, onChange } = props;
  const isKnown = value === '' || options.some(([one]) => one === value);
  const id = useId();
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <Select
        id={id}
        value={value}
        onChange={onChange}
        options={[
          { value: '', text: words.common.all },
          ...(isKnown ? [] : [{ value, text: value }]),
          ...options.map(([one, text]) => ({ value: one, text })),
        ]}
      />
    </div>
  );
}
