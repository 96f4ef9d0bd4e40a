import { useId, useMemo, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { useRead } from '../../app/api.ts';
import { type AuditEntry } from '../../app/client.ts';
import { API } from '../../app/place.ts';
import { useSession, useZone } from '../../app/session.ts';
import { useAfterPause } from '../../parts/after-pause.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Card, Empty, isLoaded, Loading, PageHead } from '../../parts/page.tsx';
import { Paging } from '../../parts/sections.tsx';
import { at, ClockTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { actorOf, deedOf, pathOf } from './audit-entry.ts';
import { readAuditFilter, writeAuditFilter, type AuditFilter } from './audit-filter.ts';
import { changesOf, type FieldChange } from './audit-values.ts';
import { useNow } from '../../app/clock.ts';
import { useTeamNames } from '../../app/names.ts';
import { day } from '../../lib/format.ts';
import { DayInput } from '../../parts/calendar-input.tsx';
import { Select } from '../../parts/form.tsx';
import { Icon } from '../../parts/icon.tsx';

const { auditLog } = words;

/** Who changed what, when, and how. */
export default function AuditLogPage() {
  const { isAtLeast } = useSession();
  const [, navigate] = useLocation();
  const search = useSearch();
  const filter = useMemo(() => readAuditFilter(search), [search]);
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
  const zone = useZone();
  const now = useNow(60_000);
  const teamNames = useTeamNames();
  const people = useRead('listUsers').data?.data;
  const query = Object.fromEntries(
    Object.entries({ ...filter, per_page: 50 }).filter(([, value]) => value !== ''),
  );
  const list = useRead('listAuditLog', { query });
  if (!isLoaded(list)) return <Loading reads={[list]} lines={8} />;
  const { data, current_page, last_page } = list.data;
  const naming = { now, zone, names: { ...teamNames, people: people ?? [] } };
  const days = Map.groupBy(data, ({ created_at }) => day(at(created_at), now, zone));
  return (
    <Card>
      {data.length === 0 && (
        <Empty title={auditLog.none}>
          <Button onClick={() => onChange(readAuditFilter(''))}>{auditLog.showAll}</Button>
        </Empty>
      )}
      {[...days].map(([name, entries]) => (
        <section key={name} className="audit">
          <h2>{name}</h2>
          <ul>
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} changes={changesOf(entry, naming)} />
            ))}
          </ul>
        </section>
      ))}
      <Paging
        page={current_page}
        last={last_page}
        onChange={(page) => onChange({ ...filter, page })}
      />
    </Card>
  );
}

/** Changes that the line of an entry has room for. */
const MAX_INLINE = 2;

/** An entry in one line, with all of it when it is opened. */
function Entry({ entry, changes }: { entry: AuditEntry; changes: readonly FieldChange[] }) {
  const { id, actor, via, token_name, ip_address, created_at } = entry;
  const [isOpen, setOpen] = useState(false);
  const inline = changes.filter(({ field }) => field !== 'name').slice(0, MAX_INLINE);
  return (
    <li>
      <span className="xs dim">
        <ClockTime time={created_at} />
      </span>
      <p className={isOpen ? '' : 'clip'}>
        <Actor actor={actor} via={via} /> <Deed entry={entry} />
        {!isOpen && inline.length > 0 && (
          <span className="dim"> · {inline.map(changeText).join(' · ')}</span>
        )}
      </p>
      <IconButton
        icon={isOpen ? 'up' : 'down'}
        label={words.terms.details}
        aria-expanded={isOpen}
        aria-controls={`audit-${id}`}
        onClick={() => setOpen(!isOpen)}
      />
      <dl id={`audit-${id}`} className="xs wrap audit-changes" hidden={!isOpen}>
        {changes.map(({ field, label, before, after }) => (
          <div key={field}>
            <dt className="dim">{label}</dt>
            <dd>
              {before !== null && <del className="dim">{before}</del>}{' '}
              {after !== null && <ins>{after}</ins>}
            </dd>
          </div>
        ))}
        <div>
          <dt className="dim">{words.auditLog.how}</dt>
          <dd>{[howOf(via, token_name), ip_address].filter(Boolean).join(' · ')}</dd>
        </div>
      </dl>
    </li>
  );
}

/** "Interval: 5 → 1" of a change, "Role: Viewer" of what is new or gone. */
function changeText({ label, before, after }: FieldChange): string {
  const values = [before, after].filter((value) => value !== null);
  return `${label}: ${values.join(' → ') || words.common.none}`;
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
        <span className="b wrap">{name}</span>
      ) : (
        <Link className="link b wrap" href={path}>
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

/** Choices of what the log shows. */
function AuditFilters(props: { filter: AuditFilter; onChange: (filter: AuditFilter) => void }) {
  const { filter, onChange } = props;
  const people = useRead('listUsers');
  const set = (changes: Partial<AuditFilter>) => onChange({ ...filter, ...changes, page: 1 });
  const [typed, setTyped] = useState<string | null>(null);
  // A search reads the whole log: it waits until the typing pauses.
  useAfterPause(typed, (search) => {
    setTyped(null);
    set({ search });
  });
  return (
    <form className="row apart below audit-filters" onSubmit={(event) => event.preventDefault()}>
      <div className="row audit-search">
        <label className="field">
          <Icon name="search" />
          <input
            type="search"
            data-search
            value={typed ?? filter.search}
            placeholder={auditLog.searchHint}
            aria-label={auditLog.searchHint}
            onChange={({ target }) => setTyped(target.value)}
          />
        </label>
        <Button onClick={() => set({ start_date: weekAgo(), end_date: '' })}>
          {auditLog.lastWeek}
        </Button>
        <Button onClick={() => onChange(readAuditFilter(''))}>{auditLog.showAll}</Button>
      </div>
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
          <span>{auditLog[name]}</span>
          <DayInput
            label={auditLog[name]}
            value={filter[name]}
            onChange={(date) => set({ [name]: date })}
          />
        </div>
      ))}
    </form>
  );
}

/** UTC day of a week ago, which the list begins with. */
const weekAgo = () => new Date(Date.now() - 6 * 86_400_000).toISOString().slice(0, 10);

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
        none={words.common.all}
        options={[
          ...(isKnown ? [] : [{ value, text: value }]),
          ...options.map(([one, text]) => ({ value: one, text })),
        ]}
      />
    </div>
  );
}
