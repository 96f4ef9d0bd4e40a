import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { MonitorOverview } from '../../app/api.gen.ts';
import { whenReachable } from '../../lib/when-reachable.ts';
import { Icon } from '../../parts/icon.tsx';
import { openMenu, type MenuRequest } from '../../parts/menu.tsx';
import { showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { NO_FILTER, savedAs, writeFilter, type Filter } from './filter.ts';
import { saveFilters, useSavedFilters } from './kept-state.ts';

/** Saved filters, and what the list is filtered by, each with a way to remove it. Loaded once there is either. */
export default function Chips(props: {
  filter: Filter;
  groups: MonitorOverview['groups'];
  onChange: (filter: Filter) => void;
  /** How many monitors that leaves. */
  children: ReactNode;
}) {
  const { filter, groups, onChange, children } = props;
  const chips = chipsOf(filter, groups);
  return (
    <div className="row m-chips">
      <SavedMenu filter={filter} />
      {chips.length > 0 && <ChipList {...{ chips, filter, onChange }} />}
      <span className="xs dim" role="status">
        {children}
      </span>
    </div>
  );
}

interface Chip {
  key: keyof Filter;
  text: string;
}

function ChipList(props: {
  chips: readonly Chip[];
  filter: Filter;
  onChange: (filter: Filter) => void;
}) {
  const { chips, filter, onChange } = props;
  return (
    <ul className="row" aria-label={words.listExtras.filteredBy}>
      {chips.map(({ key, text }) => (
        <li key={key}>
          <button
            type="button"
            className="pill"
            title={text}
            aria-label={words.listExtras.removeFilter(text)}
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
            className="xs dim link m-clear"
            onClick={() => onChange({ ...NO_FILTER, sort: filter.sort })}
          >
            {words.monitors.clearFilters}
          </button>
        </li>
      )}
    </ul>
  );
}

function chipsOf(
  { text, status, type, tag, group }: Filter,
  groups: MonitorOverview['groups'],
): Chip[] {
  const { monitors } = words;
  const name = groups.find(({ id }) => id === group)?.name;
  const chips: [keyof Filter, string | null][] = [
    ['text', text.trim() === '' ? null : words.listExtras.searched(text.trim())],
    ['status', status === 'all' ? null : words.status[status]],
    ['type', type === '' ? null : `${words.labels.type}: ${type}`],
    ['tag', tag === '' ? null : `${monitors.tag}: ${tag}`],
    [
      'group',
      group === null ? null : `${words.labels.group}: ${name ?? words.listExtras.deletedGroup}`,
    ],
  ];
  return chips.flatMap(([key, shown]) => (shown === null ? [] : [{ key, text: shown }]));
}

const loadDialogs = whenReachable(() => import('./bulk-dialogs.tsx'));

/** Filters with names: opens one, saves the present one, or removes it. Nothing when there is nothing to save or open. */
function SavedMenu({ filter }: { filter: Filter }) {
  const [, navigate] = useLocation();
  const saved = useSavedFilters();
  const here = savedAs(saved, filter);
  const canSave = writeFilter(filter) !== '' && here === undefined;
  if (saved.length === 0 && !canSave) return null;
  const { saved: texts } = words.listExtras;
  const remove = (name: string) => {
    saveFilters(saved.filter((one) => one.name !== name));
    showToast(texts.removed(name), () => saveFilters(saved));
  };
  const items: MenuRequest['items'] = [
    ...saved.map((one) => ({
      text: one.name,
      ...(one === here && { icon: 'check' as const }),
      onSelect: () => navigate(`/monitors${one.search}`),
    })),
    saved.length > 0 && (canSave || here !== undefined) && 'line',
    canSave && {
      text: texts.save,
      icon: 'plus',
      onSelect: () => void loadDialogs().then(({ openName }) => openName(filter)),
    },
    here !== undefined && {
      text: words.labels.removeNamed(here.name),
      icon: 'trash',
      onSelect: () => remove(here.name),
    },
  ];
  return (
    <button
      type="button"
      className="btn"
      aria-haspopup="menu"
      onClick={({ currentTarget }) =>
        openMenu({ label: texts.title, anchor: currentTarget, items })
      }
    >
      <span className="clip">{here?.name ?? texts.title}</span>
      <Icon name="down" />
    </button>
  );
}
