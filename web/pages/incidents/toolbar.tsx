import { useState } from 'react';
import { useRead } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { Button } from '../../parts/button.tsx';
import { CalendarInput } from '../../parts/calendar-field.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { words } from '../../words/index.ts';
import {
  countFilters,
  isDay,
  isFilteringIncidents,
  NO_INCIDENT_FILTER,
  SEVERITIES,
  TYPES,
  type IncidentFilter,
} from './filter.ts';

interface FilterProps {
  filter: IncidentFilter;
  onChange: (filter: IncidentFilter) => void;
}

/** What of the incidents is shown. A change begins at the first page. On narrow screens all but the status is folded away. */
export function IncidentFilters({ filter, onChange }: FilterProps) {
  const { incidents } = words;
  const count = countFilters(filter);
  const [isOpen, setOpen] = useState(count > 0);
  return (
    <div className="inc-bar">
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
        className="btn inc-fold"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {count === 0 ? incidents.filters : incidents.filtersSet(count)}
      </button>
      <div className={isOpen ? 'inc-more open' : 'inc-more'}>
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
  const overview = useRead(['monitors', 'overview'], () => call('getMonitorOverview'));
  const monitors = (overview.data?.monitors ?? []).toSorted((a, b) => a.name.localeCompare(b.name));
  return (
    <>
      <select
        className="control"
        aria-label={incidents.severity}
        value={filter.severity}
        onChange={(event) => set({ severity: event.target.value as IncidentFilter['severity'] })}
      >
        <option value="">{incidents.anySeverity}</option>
        {SEVERITIES.map((severity) => (
          <option key={severity} value={severity}>
            {incidents.severities[severity]}
          </option>
        ))}
      </select>
      <select
        className="control"
        aria-label={words.labels.type}
        value={filter.type}
        onChange={(event) => set({ type: event.target.value as IncidentFilter['type'] })}
      >
        <option value="">{incidents.anyType}</option>
        {TYPES.map((type) => (
          <option key={type} value={type}>
            {incidents.types[type]}
          </option>
        ))}
      </select>
      <select
        className="control"
        aria-label={words.labels.monitor}
        value={filter.monitor ?? ''}
        onChange={(event) => set({ monitor: Number(event.target.value) || null })}
      >
        <option value="">{incidents.anyMonitor}</option>
        {monitors.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <span className="inc-days">
        <Day label={words.labels.from} value={filter.from} onChange={(from) => set({ from })} />
        <Day label={words.labels.to} value={filter.to} onChange={(to) => set({ to })} />
      </span>
    </>
  );
}

/** A day, which filters when it is complete. */
function Day({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (day: string) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <label>
      <span>{label}</span>
      <CalendarInput
        type="date"
        value={typed ?? value}
        aria-invalid={typed !== null || undefined}
        onChange={(day) => {
          const isComplete = day === '' || isDay(day);
          setTyped(isComplete ? null : day);
          if (isComplete) onChange(day);
        }}
      />
    </label>
  );
}
