import { useMemo } from 'react';
import type { MonitorOverview } from '../../app/api.gen.ts';
import { count } from '../../lib/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { openMenu, type MenuItem } from '../../parts/menu.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { words } from '../../words/index.ts';
import { SORTS, STATUS_FILTERS, type Filter, type StatusFilter } from './filter.ts';
import { countByStatus, type Row } from './rows.ts';

/** DisplayStatuses that are rare: they can be filtered by while there are any. */
const RARE: ReadonlySet<StatusFilter> = new Set(['unknown', 'maintenance']);

/** What can be chosen, computed once for each answer. */
function factsOf(rows: readonly Row[]) {
  const types = new Set<string>();
  const tags = new Set<string>();
  for (const { monitor } of rows) {
    types.add(monitor.type);
    for (const tag of monitor.tags ?? []) tags.add(tag);
  }
  return { types: named(types), tags: named(tags) };
}

const named = (values: ReadonlySet<string>) =>
  [...values].toSorted().map((value) => ({ value, text: value }));

/** Search, filters and order of the list. */
export function Toolbar(props: {
  rows: readonly Row[];
  /** Those that the filter finds whatever their status, which each status counts. */
  matching: readonly Row[];
  groups: MonitorOverview['groups'];
  filter: Filter;
  onChange: (filter: Filter) => void;
}) {
  const { rows, matching, groups, filter, onChange } = props;
  const { types, tags } = useMemo(() => factsOf(rows), [rows]);
  const counts = useMemo(() => ({ ...countByStatus(matching), all: matching.length }), [matching]);
  const { monitors } = words;
  return (
    <div className="row tools">
      <label className="field">
        <Icon name="search" />
        <input
          type="search"
          data-search
          value={filter.text}
          placeholder={monitors.searchHint}
          aria-label={monitors.searchHint}
          onChange={(event) => onChange({ ...filter, text: event.target.value })}
          onKeyDown={({ key }) =>
            key === 'Enter' && document.querySelector<HTMLElement>('.m-all')?.focus()
          }
        />
        <kbd className="wide">/</kbd>
      </label>
      <Segmented
        label={words.labels.status}
        value={filter.status}
        onChange={(status) => onChange({ ...filter, status })}
        choices={STATUS_FILTERS.filter(
          (value) => !RARE.has(value) || counts[value] > 0 || value === filter.status,
        ).map((value) => ({
          value,
          text: (
            <>
              {value !== 'all' && <StatusShape displayStatus={value} isDecoration />}
              {value === 'all' ? words.common.all : words.status[value]}
              <span className="n">{count(counts[value])}</span>
            </>
          ),
        }))}
      />
      <div className="beside end m-filters">
        <FilterMenu
          label={words.labels.type}
          value={filter.type}
          choices={types}
          onChange={(type) => onChange({ ...filter, type })}
        />
        <FilterMenu
          label={monitors.tag}
          value={filter.tag}
          choices={tags}
          onChange={(tag) => onChange({ ...filter, tag })}
        />
        <FilterMenu
          label={words.labels.group}
          value={filter.group === null ? '' : String(filter.group)}
          choices={groups.map(({ id, name }) => ({ value: String(id), text: name }))}
          onChange={(id) => onChange({ ...filter, group: id === '' ? null : Number(id) })}
        />
        <button
          type="button"
          className="btn square"
          aria-haspopup="menu"
          aria-label={monitors.ordered(monitors.sorts[filter.sort])}
          title={monitors.sorts[filter.sort]}
          onClick={({ currentTarget }) =>
            openMenu({
              label: monitors.order,
              anchor: currentTarget,
              items: SORTS.map((sort) => ({
                text: monitors.sorts[sort],
                ...(sort === filter.sort && { icon: 'check' as const }),
                onSelect: () => onChange({ ...filter, sort }),
              })),
            })
          }
        >
          <Icon name="sort" />
        </button>
      </div>
    </div>
  );
}

/** Button with a menu of values to filter by. Nothing when there is nothing to choose. */
function FilterMenu(props: {
  label: string;
  value: string;
  choices: readonly { value: string; text: string }[];
  onChange: (value: string) => void;
}) {
  const { label, value, choices, onChange } = props;
  if (choices.length === 0 && value === '') return null;
  const item = (text: string, choice: string): MenuItem => ({
    text,
    ...(choice === value && { icon: 'check' }),
    onSelect: () => onChange(choice),
  });
  return (
    <button
      type="button"
      className={value === '' ? 'btn' : 'btn m-on'}
      aria-haspopup="menu"
      onClick={({ currentTarget }) =>
        openMenu({
          label,
          anchor: currentTarget,
          items: [
            item(words.common.all, ''),
            'line',
            ...choices.map((choice) => item(choice.text, choice.value)),
          ],
        })
      }
    >
      {label}
      <Icon name="down" />
    </button>
  );
}
