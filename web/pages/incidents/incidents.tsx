import { useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { reread, useRead } from '../../app/api.ts';
import { call, type Incident, type IncidentPage } from '../../app/client.ts';
import { useNow } from '../../app/clock.ts';
import { usePlaces } from '../../app/regions.ts';
import { useSession } from '../../app/session.ts';
import { INCIDENT } from '../../app/fields.gen.ts';
import { duration } from '../../lib/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { displayStatusOfSeverity, SEVERITIES } from '../../lib/severity.ts';
import { fromWallTime, toWallMinute } from '../../lib/wall-time.ts';
import { Button } from '../../parts/button.tsx';
import { DayInput } from '../../parts/calendar-input.tsx';
import { openDialog } from '../../parts/dialog.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Choose, ChooseId, Input, TextArea, useForm, Select } from '../../parts/form.tsx';
import { DayTime, OpenFor } from '../../parts/time.tsx';
import { Empty, isLoaded, Loading, PageHead, Waiting } from '../../parts/page.tsx';
import { Paging } from '../../parts/sections.tsx';
import { STATUS_CLASS, StatusShape } from '../../parts/status.tsx';
import { showToast, useAct } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import {
  countFilters,
  isFilteringIncidents,
  NO_INCIDENT_FILTER,
  queryOf,
  readIncidentFilter,
  TYPES,
  writeIncidentFilter,
  type IncidentFilter,
} from './filter.ts';
import { incidentDisplayStatus, incidentKind, incidentTitle } from './rules.ts';
import { Segmented } from '../../parts/segmented.tsx';

const DAY_MS = 86_400_000;
/** Open incidents that are shown before the others. */
const MAX_OPEN = 100;

/** All incidents: what is broken now, and what broke before? */
export default function IncidentsPage() {
  const { isAtLeast } = useSession();
  const [, navigate] = useLocation();
  const filter = readIncidentFilter(useSearch());
  const setFilter = (next: IncidentFilter) =>
    navigate(`/incidents${writeIncidentFilter(next)}`, { replace: true });
  const open = useRead('listIncidents', { query: { status: 'open', per_page: MAX_OPEN } });
  const since = new Date(useNow(DAY_MS) - 30 * DAY_MS).toISOString().slice(0, 10);
  const recent = useRead('listIncidents', { query: { start_date: since, per_page: 1 } });
  if (open.data === undefined && !open.error) return <Waiting lines={8} />;
  return (
    <>
      <PageHead
        {...headline(open.data?.total, recent.data?.total)}
        tabTitle={words.nav.incidents}
        actions={
          isAtLeast('editor') && (
            <Button icon="plus" onClick={create}>
              {words.incidents.create}
            </Button>
          )
        }
      />
      {!isFilteringIncidents(filter) && <OpenNow page={open.data} />}
      <IncidentFilters filter={filter} onChange={setFilter} />
      <Listing filter={filter} onChange={setFilter} isAnyOpen={open.data?.total !== 0} />
    </>
  );
}

/** Sentence that answers whether something is broken. */
function headline(open: number | undefined, recent: number | undefined) {
  const { incidents } = words;
  if (open === undefined) return { title: words.nav.incidents };
  if (open > 0) return { title: incidents.open(open), displayStatus: 'offline' as const };
  const title = recent === 0 ? incidents.nothingFor30Days : incidents.nothingOpen;
  const text = recent === undefined || recent === 0 ? undefined : incidents.in30Days(recent);
  return { title, displayStatus: 'online' as const, ...(text !== undefined && { text }) };
}

function OpenNow({ page }: { page: IncidentPage | undefined }) {
  if (page === undefined || page.total === 0) return null;
  return (
    <section className="card broken" aria-label={words.labels.openIncidents}>
      <IncidentRows incidents={page.data} />
    </section>
  );
}

/** Without a filter, the open ones stand above and the resolved ones follow. */
function Listing(props: {
  filter: IncidentFilter;
  onChange: (filter: IncidentFilter) => void;
  isAnyOpen: boolean;
}) {
  const { filter, onChange, isAnyOpen } = props;
  const isFiltering = isFilteringIncidents(filter);
  const query = queryOf(isFiltering ? filter : { ...filter, status: 'resolved' });
  const list = useRead('listIncidents', { query });
  if (!isLoaded(list)) return <Loading reads={[list]} lines={6} />;
  if (list.data.total === 0) {
    if (isAnyOpen && !isFiltering) return null;
    return (
      <section className="card">
        <Empty title={isFiltering ? words.incidents.noMatch : words.incidents.none}>
          {isFiltering ? (
            <Button onClick={() => onChange(NO_INCIDENT_FILTER)}>{words.incidents.showAll}</Button>
          ) : (
            <p>{words.incidents.noneHint}</p>
          )}
        </Empty>
      </section>
    );
  }
  return (
    <section
      className="card"
      aria-label={isFiltering ? words.nav.incidents : words.incidents.resolvedOnes}
    >
      <IncidentRows incidents={list.data.data} />
      <Paging
        page={list.data.current_page}
        last={list.data.last_page}
        onChange={(page) => onChange({ ...filter, page })}
      />
    </section>
  );
}

export function IncidentRows({ incidents }: { incidents: readonly Incident[] }) {
  const { isAtLeast } = useSession();
  const places = usePlaces();
  return (
    <ul className="rows inc-rows">
      {incidents.map((incident) => (
        <li key={incident.id}>
          <StatusShape displayStatus={incidentDisplayStatus(incident)} />
          <div className="inc-what">
            <Link
              className="b block clip"
              href={`/incidents/${incident.id}`}
              title={incidentTitle(incident)}
            >
              {incidentTitle(incident)}
            </Link>
            <div className="xs dim row inc-kind-line">
              {incident.status === 'resolved' && (
                <StatusShape
                  displayStatus={displayStatusOfSeverity(incident.severity)}
                  isDecoration
                />
              )}
              {incidentKind(incident, places)}
              {incident.status === 'open' && ` · ${acknowledgement(incident)}`}
              {incident.counted_as !== null && (
                <span className="tag">
                  {words.corrections.counted(words.corrections.as[incident.counted_as])}
                </span>
              )}
            </div>
          </div>
          <div className="t">
            <DayTime time={incident.started_at} />
            <br />
            <Lasting incident={incident} />
          </div>
          {isToBeTaken(incident) && isAtLeast('editor') && <Acknowledge incident={incident} />}
          {incident.status === 'open' && incident.acknowledged_at !== null && (
            <span className="pill">
              <Icon name="check" />
              {words.monitors.acknowledged}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function isToBeTaken({ status, acknowledged_at }: Incident): boolean {
  return status === 'open' && acknowledged_at === null;
}

function Acknowledge({ incident }: { incident: Incident }) {
  const { isBusy, run } = useAct(async () => {
    await call('acknowledgeIncident', { path: { id: incident.id } });
    await reread('incident', 'incidents', 'monitors', 'monitor');
    return words.incident.acknowledged;
  });
  return (
    <Button
      icon="check"
      aria-label={words.incidents.acknowledgeNamed(incidentTitle(incident))}
      isDisabled={isBusy}
      onClick={({ currentTarget }) => {
        // The button goes away when somebody is on it.
        currentTarget.closest('li')?.querySelector('a')?.focus();
        void run();
      }}
    >
      {words.labels.acknowledge}
    </Button>
  );
}

function acknowledgement({ acknowledged_at }: Incident): string {
  return acknowledged_at === null
    ? words.incidents.notAcknowledged
    : words.incidents.acknowledgedOne;
}

/** How long an incident lasted, or lasts so far. */
export function Lasting({ incident }: { incident: Incident }) {
  if (incident.status === 'open') {
    return (
      <span className={`${STATUS_CLASS[incidentDisplayStatus(incident)]} b`}>
        <OpenFor incident={incident} />
      </span>
    );
  }
  return duration((incident.duration_seconds ?? 0) * 1_000);
}

const create = () => openDialog((onClose) => <CreateIncident onClose={onClose} />);

/** Records an incident that no check saw. */
function CreateIncident({ onClose }: { onClose: () => void }) {
  const { incidents } = words;
  const { zone } = useSession();
  const [, navigate] = useLocation();
  const overview = useRead('getMonitorOverview');
  const monitors = (overview.data?.monitors ?? []).toSorted((a, b) => a.name.localeCompare(b.name));
  const { draft, form } = useForm(INCIDENT, () => ({
    monitor_id: null as number | null,
    root_cause: '',
    severity: 'critical' as Incident['severity'],
    status: 'open' as Incident['status'],
    started_at: toWallMinute(Date.now(), zone),
    ended_at: '',
  }));
  const save = async () => {
    const { monitor_id, root_cause: cause, started_at, ended_at, ...body } = draft;
    const made = await call('createIncident', {
      body: {
        ...body,
        // Without a choice, the API says that one is required.
        monitor_id: monitor_id as number,
        started_at: fromWallTime(started_at, zone) ?? started_at,
        root_cause: cause.trim() === '' ? null : cause,
        ...(body.status === 'resolved' &&
          ended_at !== '' && { ended_at: fromWallTime(ended_at, zone) ?? ended_at }),
      },
    });
    await reread('incidents', 'monitors', 'monitor');
    showToast(incidents.created);
    navigate(`/incidents/${made.id}`);
  };
  return (
    <FormDialog
      title={words.incidents.create}
      {...form}
      submit={incidents.create}
      onSubmit={save}
      onClose={onClose}
    >
      <div className="fieldset">
        <p className="dim">{incidents.createText}</p>
        <ChooseId
          name="monitor_id"
          label={words.labels.monitor}
          none={words.terms.chooseMonitor}
          all={monitors}
        />
        <TextArea name="root_cause" label={incidents.cause} hint={incidents.causeHint} isOptional />
        <Choose name="severity" label={words.terms.severity} texts={words.severities} />
        <Choose name="status" label={words.labels.status} texts={incidents.statuses} />
        <Input
          name="started_at"
          label={incidents.startedAt}
          hint={incidents.localTimeHint(zone)}
          type="datetime-local"
        />
        {draft.status === 'resolved' && (
          <Input name="ended_at" label={incidents.endedAt} type="datetime-local" isOptional />
        )}
      </div>
    </FormDialog>
  );
}

interface FilterProps {
  filter: IncidentFilter;
  onChange: (filter: IncidentFilter) => void;
}

/** What of the incidents is shown. A change begins at the first page. On narrow screens all but the status is folded away. */
function IncidentFilters({ filter, onChange }: FilterProps) {
  const { incidents } = words;
  const count = countFilters(filter);
  const [isOpen, setOpen] = useState(count > 0);
  return (
    <div className="row inc-bar">
      <Segmented
        label={words.labels.status}
        value={filter.status === '' ? 'all' : filter.status}
        choices={[
          { value: 'all', text: words.common.all },
          { value: 'open', text: incidents.statuses.open },
          { value: 'resolved', text: incidents.statuses.resolved },
        ]}
        onChange={(status) =>
          onChange({ ...filter, status: status === 'all' ? '' : status, page: 1 })
        }
      />
      <button
        type="button"
        className="btn end inc-fold"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {count === 0 ? incidents.filters : incidents.filtersSet(count)}
      </button>
      <div className={isOpen ? 'contents inc-more open' : 'contents inc-more'}>
        <MoreFilters filter={filter} onChange={onChange} />
      </div>
      {isFilteringIncidents(filter) && (
        <Button look="ghost" icon="cross" onClick={() => onChange(NO_INCIDENT_FILTER)}>
          {incidents.showAll}
        </Button>
      )}
    </div>
  );
}

function MoreFilters({ filter, onChange }: FilterProps) {
  const { incidents } = words;
  const set = (change: Partial<IncidentFilter>) => onChange({ ...filter, ...change, page: 1 });
  const overview = useRead('getMonitorOverview');
  const monitors = (overview.data?.monitors ?? []).toSorted((a, b) => a.name.localeCompare(b.name));
  return (
    <>
      <Select
        aria-label={words.terms.severity}
        value={filter.severity}
        onChange={(severity) => set({ severity })}
        none={incidents.anySeverity}
        options={SEVERITIES.map((value) => ({ value, text: words.severities[value] }))}
      />
      <Select
        aria-label={words.labels.type}
        value={filter.type}
        onChange={(type) => set({ type })}
        none={incidents.anyType}
        options={TYPES.map((value) => ({ value, text: incidents.types[value] }))}
      />
      <Select
        aria-label={words.labels.monitor}
        value={filter.monitor ?? ''}
        onChange={(id) => set({ monitor: Number(id) || null })}
        none={incidents.anyMonitor}
        options={monitors.map(({ id, name }) => ({ value: String(id), text: name }))}
      />
      <span className="beside inc-days">
        <Day label={words.labels.from} value={filter.from} onChange={(from) => set({ from })} />
        <Day label={words.labels.to} value={filter.to} onChange={(to) => set({ to })} />
      </span>
    </>
  );
}

/** A day, which filters when it is complete. */
function Day(props: { label: string; value: string; onChange: (day: string) => void }) {
  const { label, value, onChange } = props;
  return (
    <label className="near xs dim">
      <span>{label}</span>
      <DayInput label={label} value={value} onChange={onChange} />
    </label>
  );
}
