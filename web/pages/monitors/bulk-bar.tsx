import { useTeamNames } from '../../app/names.ts';
import { count } from '../../lib/format.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { openMenu, type MenuItem } from '../../parts/menu.tsx';
import { words } from '../../words/index.ts';
import {
  askToDelete,
  checkAll,
  moveAll,
  pauseAll,
  resumeAll,
  untagAll,
  useBulkRun,
  type BulkRun,
} from './bulk-actions.ts';
import type { Row } from './rows.ts';

/** Dialogs that an action on monitors needs. */
export type BulkDialog =
  | { kind: 'maintenance'; rows: readonly Row[] }
  | { kind: 'tag'; rows: readonly Row[]; run: BulkRun['run'] };

/** What can be done with the monitors that are selected, in place of the heads of the columns. */
export default function BulkBar(props: {
  rows: readonly Row[];
  onClear: () => void;
  onDialog: (dialog: BulkDialog) => void;
}) {
  const { rows, onClear, onDialog } = props;
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
  const items = (anchor: HTMLElement) =>
    ({
      pause: { text: words.labels.pause, icon: 'pause', onSelect: () => void run(pauseAll) },
      resume: { text: words.labels.resume, icon: 'play', onSelect: () => void run(resumeAll) },
      tag: { text: bulk.tag, icon: 'plus', onSelect: () => onDialog({ kind: 'tag', rows, run }) },
      move: { text: bulk.move, icon: 'groups', onSelect: () => later(() => openGroups(anchor)) },
      maintenance: {
        text: words.nav.maintenance,
        icon: 'maintenance',
        onSelect: () => onDialog({ kind: 'maintenance', rows }),
      },
      check: { text: words.labels.checkNow, icon: 'refresh', onSelect: () => void run(checkAll) },
      untag: {
        text: bulk.untag,
        icon: 'minus',
        isDisabled: tagsOf(rows).length === 0,
        onSelect: () => later(() => openTags(anchor)),
      },
      delete: {
        text: words.common.delete,
        icon: 'trash',
        isDanger: true,
        onSelect: () => askToDelete(rows, run),
      },
    }) satisfies Record<string, MenuItem>;
  const openMore = (anchor: HTMLElement) => {
    const { check, untag, delete: remove } = items(anchor);
    openMenu({ label: bulk.more, anchor, items: [check, untag, 'line', remove] });
  };
  const openAll = (anchor: HTMLElement) => {
    const { delete: remove, ...rest } = items(anchor);
    openMenu({
      label: words.labels.actions,
      anchor,
      items: [...Object.values(rest), 'line', remove],
    });
  };
  return (
    <div className="m-bulk" role="toolbar" aria-label={bulk.label}>
      <span className="b m-count" role="status">
        {progress === null
          ? bulk.selected(count(rows.length))
          : bulk.progress(count(progress.done), count(progress.total))}
      </span>
      <span className="m-bulk-all">
        <Button isDisabled={isBusy} icon="pause" onClick={() => void run(pauseAll)}>
          {words.labels.pause}
        </Button>
        <Button isDisabled={isBusy} icon="play" onClick={() => void run(resumeAll)}>
          {words.labels.resume}
        </Button>
        <Button
          isDisabled={isBusy}
          icon="plus"
          onClick={() => onDialog({ kind: 'tag', rows, run })}
        >
          {bulk.tag}
        </Button>
        <Button
          isDisabled={isBusy}
          icon="groups"
          aria-haspopup="menu"
          onClick={({ currentTarget }) => openGroups(currentTarget)}
        >
          {bulk.move}
        </Button>
        <Button
          isDisabled={isBusy}
          icon="maintenance"
          onClick={() => onDialog({ kind: 'maintenance', rows })}
        >
          {words.nav.maintenance}
        </Button>
        <IconButton
          isDisabled={isBusy}
          icon="more"
          label={bulk.more}
          aria-haspopup="menu"
          onClick={({ currentTarget }) => openMore(currentTarget)}
        />
      </span>
      <span className="m-bulk-one">
        <Button
          isDisabled={isBusy}
          icon="more"
          aria-haspopup="menu"
          onClick={({ currentTarget }) => openAll(currentTarget)}
        >
          {words.labels.actions}
        </Button>
      </span>
      <span className="m-bulk-end">
        {isBusy && <Button onClick={stop}>{bulk.stop}</Button>}
        <IconButton look="ghost" icon="cross" label={bulk.clear} onClick={onClear} />
      </span>
    </div>
  );
}

/** A menu that an entry of another menu opens waits until that one is closed. */
function later(open: () => void): void {
  setTimeout(open, 0);
}

function tagsOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.flatMap(({ monitor }) => monitor.tags ?? []))].toSorted();
}
