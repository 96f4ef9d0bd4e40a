import type { ReactNode } from 'react';
import { useRead } from '../../app/api.ts';
import { getMonitorOverview } from '../../client/sdk.gen.ts';
import { Button } from '../../parts/button.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { words } from '../../words/index.ts';
import {
  isFilteringIncidents,
  NO_INCIDENT_FILTER,
  SEVERITIES,
  TYPES,
  type IncidentFilter,
} from './filter.ts';

/** What of the incidents is shown. A change begins at the first page. */
export function IncidentFilters({
  filter,
  onChange,
}: {
  filter: IncidentFilter;
  onChange: (filter: IncidentFilter) => void;
}): ReactNode {
  const { incidents } = words;
  const set = (change: Partial<IncidentFilter>) => onChange({ ...filter, ...change, page: 1 });
  const overview = useRead(['monitors', 'overview'], () => getMonitorOverview());
  const monitors = (overview.data?.monitors ?? []).toSorted((a, b) => a.name.localeCompare(b.name));
  return (
    <div className="inc-bar">
      <Segmented
        label={incidents.status}
        value={filter.status === '' ? 'all' : filter.status}
        choices={[
          { value: 'all', text: words.common.all },
          { value: 'open', text: incidents.statuses.open },
          { value: 'resolved', text: incidents.statuses.resolved },
        ]}
        onChange={(status) => set({ status: status === 'all' ? '' : status })}
      />
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
        aria-label={incidents.type}
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
        aria-label={incidents.monitor}
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
        <label>
          <span>{incidents.from}</span>
          <input
            type="date"
            className="control"
            value={filter.from}
            max={filter.to}
            onChange={(event) => set({ from: event.target.value })}
          />
        </label>
        <label>
          <span>{incidents.to}</span>
          <input
            type="date"
            className="control"
            value={filter.to}
            min={filter.from}
            onChange={(event) => set({ to: event.target.value })}
          />
        </label>
      </span>
      {isFilteringIncidents(filter) && (
        <Button look="ghost" icon="cross" onClick={() => onChange(NO_INCIDENT_FILTER)}>
          {incidents.showAll}
        </Button>
      )}
    </div>
  );
}
