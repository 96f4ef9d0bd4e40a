import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { ApiError } from '../../app/api.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Form, Input } from '../../parts/form.tsx';
import { Icon } from '../../parts/icon.tsx';
import { openMenu, type MenuItem } from '../../parts/menu.tsx';
import { say } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { writeFilter, type Filter } from './filter.ts';
import { saveFilters, useSavedFilters } from './kept-state.ts';
import { savedAs, withSaved } from './kept.ts';

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
      {isNaming && <NameDialog filter={filter} onClose={() => setNaming(false)} />}
    </>
  );
}

function NameDialog({ filter, onClose }: { filter: Filter; onClose: () => void }): ReactNode {
  const saved = useSavedFilters();
  const [name, setName] = useState('');
  const { saved: texts } = words.monitors;
  const save = async () => {
    const trimmed = name.trim();
    if (trimmed === '') throw new ApiError(0, { errors: { name: [texts.nameNeeded] } });
    saveFilters(withSaved(saved, { name: trimmed, search: writeFilter(filter) }));
    onClose();
    say(texts.done(trimmed));
  };
  return (
    <Dialog title={texts.save} onClose={onClose}>
      <Form submit={words.common.save} onSubmit={save} onCancel={onClose}>
        <Input
          name="name"
          label={texts.name}
          hint={texts.hint}
          maxLength={60}
          value={name}
          onChange={setName}
        />
      </Form>
    </Dialog>
  );
}
