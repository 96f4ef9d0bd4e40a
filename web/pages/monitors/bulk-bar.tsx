import type { MouseEvent } from 'react';
import { useTeamNames } from '../../app/names.ts';
import { count } from '../../lib/format.ts';
import { whenReachable } from '../../lib/when-reachable.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { DELETE, openMenu, type MenuItem } from '../../parts/menu.tsx';
import { words } from '../../words/index.ts';
import {
  askToDelete,
  checkAll,
  moveAll,
  pauseAll,
  resumeAll,
  untagAll,
  useBulkRun,
} from './bulk-actions.ts';
import type { Row } from './rows.ts';

/** Loaded when one of them is opened. */
const loadDialogs = whenReachable(() => import('./bulk-dialogs.tsx'));

type Item = Omit<MenuItem, 'onSelect'> & { act: (anchor: HTMLElement) => void };

/** What has a button where there is room, and what is in the menu behind. */
const FIRST = ['pause', 'resume', 'tag', 'move', 'maintenance'] as const;
const SECOND = ['check', 'untag'] as const;

/** What can be done with the monitors that are selected, in place of the heads of the columns. */
export default function BulkBar(props: { rows: readonly Row[]; onClear: () => void }) {
  const { rows, onClear } = props;
  const { bulk } = words;
  const { progress, run, stop } = useBulkRun(rows);
  const { groups } = useTeamNames();
  const isBusy = progress !== null;
  const openGroups = (anchor: HTMLElement) => {
    const choices = [...groups, { id: null, name: words.labels.noGroup }];
    openMenu({
      label: bulk.move,
      anchor,
      items: choices.map((group) => ({
        text: group.name,
        onSelect: () => void run((all, done) => moveAll(all, group, done)),
      })),
    });
  };
  const openTags = (anchor: HTMLElement) =>
    openMenu({
      label: bulk.untag,
      anchor,
      items: tagsOf(rows).map((tag) => ({
        text: tag,
        onSelect: () => void run((all, done) => untagAll(all, tag, done)),
      })),
    });
  const items = {
    pause: { text: words.labels.pause, icon: 'pause', act: () => void run(pauseAll) },
    resume: { text: words.labels.resume, icon: 'play', act: () => void run(resumeAll) },
    tag: {
      text: bulk.tag,
      icon: 'plus',
      act: () => void loadDialogs().then(({ openTag }) => openTag(rows, run)),
    },
    move: { text: bulk.move, icon: 'groups', act: later(openGroups) },
    maintenance: {
      text: words.nav.maintenance,
      icon: 'maintenance',
      act: () => void loadDialogs().then(({ openMaintenance }) => openMaintenance(rows)),
    },
    check: { text: words.labels.checkNow, icon: 'refresh', act: () => void run(checkAll) },
    untag: {
      text: bulk.untag,
      icon: 'minus',
      isDisabled: tagsOf(rows).length === 0,
      act: later(openTags),
    },
    delete: { ...DELETE, act: () => askToDelete(rows, run) },
  } satisfies Record<string, Item>;
  const openMenuOf = (label: string, first: readonly (keyof typeof items)[]) => {
    return ({ currentTarget: anchor }: MouseEvent<HTMLElement>) => {
      const item = (key: keyof typeof items): MenuItem => {
        const { act, ...look }: Item = items[key];
        return { ...look, onSelect: () => act(anchor) };
      };
      openMenu({ label, anchor, items: [...first.map(item), 'line', item('delete')] });
    };
  };
  return (
    <div className="line grow apart" role="toolbar" aria-label={bulk.label}>
      <span className="b nowrap" role="status">
        {progress === null
          ? bulk.selected(count(rows.length))
          : bulk.progress(count(progress.done), count(progress.total))}
      </span>
      <span className="beside m-bulk-all">
        {FIRST.map((key) => (
          <Button
            key={key}
            isDisabled={isBusy}
            icon={items[key].icon}
            aria-haspopup={key === 'move' ? 'menu' : undefined}
            onClick={({ currentTarget }) => items[key].act(currentTarget)}
          >
            {items[key].text}
          </Button>
        ))}
        <IconButton
          look="plain"
          isDisabled={isBusy}
          icon="more"
          label={bulk.more}
          aria-haspopup="menu"
          onClick={openMenuOf(bulk.more, SECOND)}
        />
      </span>
      <span className="m-bulk-one">
        <Button
          isDisabled={isBusy}
          icon="more"
          aria-haspopup="menu"
          onClick={openMenuOf(words.labels.actions, [...FIRST, ...SECOND])}
        >
          {words.labels.actions}
        </Button>
      </span>
      <span className="end">
        {isBusy && <Button onClick={stop}>{bulk.stop}</Button>}
        <IconButton icon="cross" label={bulk.clear} onClick={onClear} />
      </span>
    </div>
  );
}

/** A menu that an entry of another menu opens waits until that one is closed. */
function later(open: (anchor: HTMLElement) => void) {
  return (anchor: HTMLElement) => void setTimeout(() => open(anchor), 0);
}

function tagsOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.flatMap(({ monitor }) => monitor.tags ?? []))].toSorted();
}
