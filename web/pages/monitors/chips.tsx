import type { ReactNode } from 'react';
import { Icon } from '../../parts/icon.tsx';
import { words } from '../../words/index.ts';
import { NO_FILTER, type Filter } from './filter.ts';
import type { Overview } from './overview-types.ts';
import { SavedMenu } from './saved-menu.tsx';
import { useSavedFilters } from './kept-state.ts';

/** Saved filters, and what the list is filtered by, each with a way to take it away. */
export function Chips({
  filter,
  groups,
  onChange,
}: {
  filter: Filter;
  groups: Overview['groups'];
  onChange: (filter: Filter) => void;
}): ReactNode {
  const chips = chipsOf(filter, groups);
  const saved = useSavedFilters();
  if (chips.length === 0 && saved.length === 0) return null;
  return (
    <div className="m-chips">
      <SavedMenu filter={filter} />
      {chips.length > 0 && <ChipList {...{ chips, filter, onChange }} />}
    </div>
  );
}

interface Chip {
  key: keyof Filter;
  text: string;
}

function ChipList({
  chips,
  filter,
  onChange,
}: {
  chips: readonly Chip[];
  filter: Filter;
  onChange: (filter: Filter) => void;
}): ReactNode {
  return (
    <ul aria-label={words.monitors.filteredBy}>
      {chips.map(({ key, text }) => (
        <li key={key}>
          <button
            type="button"
            className="pill"
            title={text}
            aria-label={words.monitors.removeFilter(text)}
            onClick={() => onChange({ ...filter, [key]: NO_FILTER[key] })}
          >
            <span className="clip">{text}</span>
            <Icon name="cross" />
          </button>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <button
            type="button"
            className="m-clear"
            onClick={() => onChange({ ...NO_FILTER, sort: filter.sort })}
          >
            {words.monitors.clearFilters}
          </button>
        </li>
      )}
    </ul>
  );
}

function chipsOf({ text, status, type, tag, group }: Filter, groups: Overview['groups']): Chip[] {
  const { monitors } = words;
  const name = groups.find(({ id }) => id === group)?.name;
  const chips: [keyof Filter, string | null][] = [
    ['text', text.trim() === '' ? null : `“${text.trim()}”`],
    ['status', status === 'all' ? null : words.status[status]],
    ['type', type === '' ? null : `${monitors.type}: ${type}`],
    ['tag', tag === '' ? null : `${monitors.tag}: ${tag}`],
    ['group', group === null ? null : `${monitors.group}: ${name ?? monitors.deletedGroup}`],
  ];
  return chips.flatMap(([key, shown]) => (shown === null ? [] : [{ key, text: shown }]));
}
