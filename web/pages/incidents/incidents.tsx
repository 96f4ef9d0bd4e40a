import { useState, type ReactNode } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { useChange, useRead } from '../../app/api.ts';
import { useNow } from '../../app/clock.ts';
import { usePlaces } from '../../app/regions.ts';
import { useSession } from '../../app/session.tsx';
import { acknowledgeIncident, listIncidents } from '../../client/sdk.gen.ts';
import type { Incident, IncidentPage } from '../../client/types.gen.ts';
import { duration } from '../../lib/format.ts';
import { Button } from '../../parts/button.tsx';
import { Empty, Failure, Waiting } from '../../parts/failure.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Paging } from '../../parts/paging.tsx';
import { STANDING_CLASS, StatusShape } from '../../parts/status.tsx';
import { OpenFor } from '../../parts/open-for.tsx';
import { DayTime } from '../../parts/time.tsx';
import { say, sayError } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { CreateIncident } from './create.tsx';
import {
  isFilteringIncidents,
  NO_INCIDENT_FILTER,
  queryOf,
  readIncidentFilter,
  writeIncidentFilter,
  type IncidentFilter,
} from './filter.ts';
import { incidentKind, incidentStanding, incidentTitle } from './names.ts';
import { IncidentFilters } from './toolbar.tsx';

const DAY_MS = 86_400_000;
/** Open incidents that are shown before the others. */
const MAX_OPEN = 100;

/** All incidents: what is broken now, and what broke before? */
export default function IncidentsPage(): ReactNode {
  const { isAtLeast } = useSession();
  const [isCreating, setCreating] = useState(false);
  const [, navigate] = useLocation();
  const filter = readIncidentFilter(useSearch());
  const setFilter = (next: IncidentFilter) =>
    navigate(`/incidents${writeIncidentFilter(next)}`, { replace: true });
  const open = useRead(['incidents', 'open'], () =>
    listIncidents({ query: { status: 'open', per_page: MAX_OPEN } }),
  );
  const since = new Date(useNow(DAY_MS) - 30 * DAY_MS).toISOString().slice(0, 10);
  const recent = useRead(['incidents', 'since', since], () =>
    listIncidents({ query: { start_date: since, per_page: 1 } }),
  );
  if (open.data === undefined && !open.error) return <Waiting lines={8} />;
  return (
    <>
      <PageHead
        {...headline(open.data?.total, recent.data?.total)}
        tabTitle={words.incidents.title}
        actions={
          isAtLeast('editor') && (
            <Button icon="plus" onClick={() => setCreating(true)}>
              {words.incidents.create}
            </Button>
          )
        }
      />
      {!isFilteringIncidents(filter) && <OpenNow page={open.data} />}
      <IncidentFilters filter={filter} onChange={setFilter} />
      <Listing filter={filter} onChange={setFilter} />
      {isCreating && <CreateIncident onClose={() => setCreating(false)} />}
    </>
  );
}

/** Sentence that answers whether something is broken. */
function headline(open: number | undefined, recent: number | undefined) {
  const { incidents } = words;
  if (open === undefined) return { title: incidents.title };
  if (open > 0) return { title: incidents.open(open), standing: 'offline' as const };
  const title = recent === 0 ? incidents.nothingFor30Days : incidents.nothingOpen;
  const text = recent === undefined || recent === 0 ? undefined : incidents.in30Days(recent);
  return { title, standing: 'online' as const, ...(text !== undefined && { text }) };
}

function OpenNow({ page }: { page: IncidentPage | undefined }): ReactNode {
  if (page === undefined || page.total === 0) return null;
  return (
    <section className="card inc-open" aria-label={words.incidents.openNow}>
      <IncidentRows incidents={page.data} />
    </section>
  );
}

/** Without a filter, the open ones stand above and the resolved ones follow. */
function Listing({
  filter,
  onChange,
}: {
  filter: IncidentFilter;
  onChange: (filter: IncidentFilter) => void;
}): ReactNode {
  const isFiltering = isFilteringIncidents(filter);
  const query = queryOf(isFiltering ? filter : { ...filter, status: 'resolved' });
  const list = useRead(['incidents', 'list', query], () => listIncidents({ query }));
  if (list.error && list.data === undefined)
    return <Failure error={list.error} retry={() => void list.refetch()} />;
  if (list.data === undefined) return <Waiting lines={6} />;
  if (list.data.total === 0) {
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
      className="card inc-list"
      aria-label={isFiltering ? words.incidents.title : words.incidents.resolvedOnes}
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

/** Incidents, one in a line. */
export function IncidentRows({ incidents }: { incidents: readonly Incident[] }): ReactNode {
  const { isAtLeast } = useSession();
  const places = usePlaces();
  return (
    <ul className="rows inc-rows">
      {incidents.map((incident) => (
        <li key={incident.id}>
          <StatusShape standing={incidentStanding(incident)} />
          <div className="inc-what">
            <Link className="b" href={`/incidents/${incident.id}`} title={incidentTitle(incident)}>
              {incidentTitle(incident)}
            </Link>
            <div className="xs dim">
              {incidentKind(incident, places)}
              {incident.status === 'open' && ` · ${acknowledgement(incident)}`}
              {incident.counted_as !== null &&
                ` · ${words.corrections.counted(words.corrections.as[incident.counted_as])}`}
            </div>
          </div>
          {isToBeTaken(incident) && isAtLeast('editor') && <Acknowledge incident={incident} />}
          <div className="t">
            <DayTime time={incident.started_at} />
            <br />
            <Lasting incident={incident} />
          </div>
        </li>
      ))}
    </ul>
  );
}

function isToBeTaken({ status, acknowledged_at }: Incident): boolean {
  return status === 'open' && acknowledged_at === null;
}

function Acknowledge({ incident }: { incident: Incident }): ReactNode {
  const acknowledge = useChange(
    () => acknowledgeIncident({ path: { id: incident.id } }),
    ['incident', 'incidents', 'monitors', 'monitor'],
  );
  return (
    <Button
      icon="check"
      aria-label={words.incidents.acknowledgeNamed(incidentTitle(incident))}
      isBusy={acknowledge.isPending}
      onClick={({ currentTarget }) => {
        // The button goes away when somebody is on it.
        currentTarget.closest('li')?.querySelector('a')?.focus();
        // The row may be drawn anew, without the button, before the answer is there.
        acknowledge.mutateAsync(undefined).then(() => say(words.incident.acknowledged), sayError);
      }}
    >
      {words.incidents.acknowledge}
    </Button>
  );
}

function acknowledgement({ acknowledged_at }: Incident): string {
  return acknowledged_at === null
    ? words.incidents.notAcknowledged
    : words.incidents.acknowledgedOne;
}

/** How long an incident lasted, or lasts so far. */
export function Lasting({ incident }: { incident: Incident }): ReactNode {
  if (incident.status === 'open') {
    return (
      <span className={`${STANDING_CLASS[incidentStanding(incident)]} b`}>
        <OpenFor incident={incident} />
      </span>
    );
  }
  return duration((incident.duration_seconds ?? 0) * 1_000, words.time);
}
