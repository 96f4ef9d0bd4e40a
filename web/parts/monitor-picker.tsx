import { useMemo, useState } from 'react';
import { useRead } from '../app/api.ts';
import { type MonitorOverview } from '../app/client.ts';
import { words } from '../words/index.ts';
import { useControl, useFieldErrors } from './form.tsx';
import { Empty, isLoaded, Loading } from './page.tsx';

export type PickableMonitor = MonitorOverview['monitors'][number];

/** Monitors of the team with their groups: the same data that the list shows. */
export function useMonitors() {
  return useRead('getMonitorOverview');
}

/** Boxes to tick for monitors, by group, with a search above. `name` is the field of the API that holds their ids. */
export function MonitorPicker(props: {
  name: string;
  label: string;
  /** Ids, unless they are in the draft of the form. */
  picked?: number[];
  onChange?: (ids: number[]) => void;
  /** Offers these monitors alone. */
  only?: readonly number[];
}) {
  const { name, label, picked: given, onChange, only } = props;
  const { value: picked, change } = useControl(name, { value: given, onChange });
  const overview = useMonitors();
  const [search, setSearch] = useState('');
  const [error] = useFieldErrors(name);
  const sections = useMemo(
    () => (overview.data === undefined ? [] : sectionsOf(overview.data, search, only)),
    [overview.data, search, only],
  );
  if (!isLoaded(overview)) return <Loading reads={[overview]} lines={2} />;
  if (overview.data.monitors.length === 0) return <Empty title={words.picker.noMonitors} />;
  const set = (ids: readonly number[], isPicked: boolean) => {
    const rest = picked.filter((id) => !ids.includes(id));
    change(isPicked ? [...rest, ...ids] : rest);
  };
  return (
    <fieldset className="picker">
      <legend>
        {label}{' '}
        {picked.length > 0 && <span className="faint">{words.picker.picked(picked.length)}</span>}
      </legend>
      <input
        className="control"
        type="search"
        name={name}
        placeholder={words.picker.search}
        aria-label={words.picker.search}
        aria-invalid={error ? true : undefined}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <div className="gap box picker-list" tabIndex={-1}>
        {sections.length === 0 && <p className="dim">{words.picker.noMatch}</p>}
        {sections.map((section) => (
          <PickerSection key={section.name} section={section} picked={picked} onSet={set} />
        ))}
      </div>
      {error && <p className="error">{error}</p>}
    </fieldset>
  );
}

interface Section {
  name: string;
  monitors: PickableMonitor[];
}

function PickerSection(props: {
  section: Section;
  picked: readonly number[];
  onSet: (ids: readonly number[], isPicked: boolean) => void;
}) {
  const {
    section: { name, monitors },
    picked,
    onSet,
  } = props;
  const ids = monitors.map(({ id }) => id);
  const count = ids.filter((id) => picked.includes(id)).length;
  return (
    <div>
      <label className="choice b">
        <input
          type="checkbox"
          checked={count === ids.length}
          ref={(box) => {
            if (box) box.indeterminate = count > 0 && count < ids.length;
          }}
          onChange={(event) => onSet(ids, event.target.checked)}
        />
        <span className="clip" title={name}>
          {name}
        </span>
      </label>
      {monitors.map((monitor) => (
        <label key={monitor.id} className="choice picker-item">
          <input
            type="checkbox"
            checked={picked.includes(monitor.id)}
            onChange={(event) => onSet([monitor.id], event.target.checked)}
          />
          <span className="clip" title={monitor.name}>
            {monitor.name}
          </span>
        </label>
      ))}
    </div>
  );
}

/** Monitors that match, by group; those without a group come last. */
function sectionsOf(
  { monitors, groups }: MonitorOverview,
  search: string,
  only: readonly number[] | undefined,
): Section[] {
  const text = search.trim().toLowerCase();
  const found = monitors.filter(
    ({ id, name, target = '' }) =>
      (only === undefined || only.includes(id)) &&
      (name.toLowerCase().includes(text) || target.toLowerCase().includes(text)),
  );
  return [
    ...groups.map(({ id, name }) => ({
      name,
      monitors: found.filter(({ group_id }) => group_id === id),
    })),
    {
      name: words.labels.noGroup,
      monitors: found.filter(({ group_id }) => !groups.some(({ id }) => id === group_id)),
    },
  ].filter((section) => section.monitors.length > 0);
}
