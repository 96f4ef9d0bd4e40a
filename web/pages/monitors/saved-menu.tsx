import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Icon } from '../../parts/icon.tsx';
import { openMenu, type MenuItem } from '../../parts/menu.tsx';
import { say } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { writeFilter, type Filter } from './filter.ts';
import { saveFilters, useSavedFilters } from './kept-state.ts';
import { savedAs } from './kept.ts';
import { whenReachable } from '../../lib/when-reachable.ts';

const NameDialog = lazy(whenReachable(() => import('./name-dialog.tsx')));

/** Filters with names: opens one, saves the present one, or removes it. Nothing when there is nothing to save or open. */
export function SavedMenu({ filter }: { filter: Filter }): ReactNode {
  const [, navigate] = useLocation();
  const saved = useSavedFilters();
  const [isNaming, setNaming] = useState(false);
  const here = savedAs(saved, filter);
  const canSave = writeFilter(filter) !== '' && here === undefined;
  if (saved.length === 0 && !canSave) return null;
  const { saved: texts } = words.monitors;
  const remove = (name: string) => {
    saveFilters(saved.filter((one) => one.name !== name));
    say(texts.removed(name), () => saveFilters(saved));
  };
  const items: (MenuItem | 'line')[] = [
    ...saved.map((one) => ({
      text: one.name,
      ...(one === here && { icon: 'check' as const }),
      onSelect: () => navigate(`/monitors${one.search}`),
    })),
    ...(saved.length > 0 && (canSave || here) ? ['line' as const] : []),
    ...(canSave
      ? [{ text: texts.save, icon: 'plus' as const, onSelect: () => setNaming(true) }]
      : []),
    ...(here
      ? [
          {
            text: texts.remove(here.name),
            icon: 'trash' as const,
            onSelect: () => remove(here.name),
          },
        ]
      : []),
  ];
  return (
    <>
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
      {isNaming && (
        <Suspense>
          <NameDialog filter={filter} onClose={() => setNaming(false)} />
        </Suspense>
      )}
    </>
  );
}
