import { useMemo, type ReactNode } from 'react';
import { count } from '../../lib/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { openMenu, type MenuItem } from '../../parts/menu.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { words } from '../../words/index.ts';
import { SORTS, STATUS_FILTERS, type Filter, type StatusFilter } from './filter.ts';
import type { Overview } from './overview-types.ts';
import { countStandings, type Row } from './rows.ts';

/** Standings that are rare: they can be filtered by while there are any. */
const RARE: ReadonlySet<StatusFilter> = new Set(['unknown', 'maintenance']);

/** What can be chosen, computed once for each answer. */
function factsOf(rows: readonly Row[]) {
  const types = new Set<string>();
  const tags = new Set<string>();
  for (const { monitor } of rows) {
    types.add(monitor.type);
    for (const tag of monitor.tags ?? []) tags.add(tag);
  }
  const counts = { ...countStandings(rows), all: rows.length };
  return { counts, types: named(types), tags: named(tags) };
}

const named = (values: ReadonlySet<string>) =>
  [...values].toSorted().map((value) => ({ value, text: value }));

/** Search, filters and order of the list. */
export function Toolbar({
  rows,
  groups,
  filter,
  onChange,
}: {
  rows: readonly Row[];
  groups: Overview['groups'];
  filter: Filter;
  onChange: (filter: Filter) => void;
}): ReactNode {
  const { counts, types, tags } = useMemo(() => factsOf(rows), [rows]);
  const { monitors } = words;
  return (
    <div className="tools">
      <label className="field">
        <Icon name="search" />
        <input
          type="search"
          data-search
          value={filter.text}
          placeholder={monitors.searchHint}
          aria-label={monitors.searchHint}
          onChange={(event) => onChange({ ...filter, text: event.target.value })}
        />
        <kbd className="wide">/</kbd>
      </label>
      <Segmented
        label={monitors.status}
        value={filter.status}
        onChange={(status) => onChange({ ...filter, status })}
        choices={STATUS_FILTERS.filter(
          (value) => !RARE.has(value) || counts[value] > 0 || value === filter.status,
        ).map((value) => ({
          value,
          text: (
            <>
              {value !== 'all' && <StatusShape standing={value} isDecoration />}
              {value === 'all' ? words.common.all : words.status[value]}
              <span className="n">{count(counts[value], words.time.locale)}</span>
            </>
          ),
        }))}
      />
      <div className="m-filters">
        <FilterMenu
          label={monitors.type}
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
          label={monitors.group}
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
function FilterMenu({
  label,
  value,
  choices,
  onChange,
}: {
  label: string;
  value: string;
  choices: readonly { value: string; text: string }[];
  onChange: (value: string) => void;
}): ReactNode {
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
