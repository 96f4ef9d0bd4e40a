import { whenReachable } from '../../lib/when-reachable.ts';
import { copyText } from '../../parts/copy.tsx';
import { DELETE, openMenu, type MenuItem } from '../../parts/menu.tsx';
import { showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { askToDelete, checkAll, isChecked, pauseAll, resumeAll } from './bulk-actions.ts';
import type { Row } from './rows.ts';

/** Loaded when one of them is opened. */
const loadDialogs = whenReachable(() => import('./bulk-dialogs.tsx'));

/** What the menu of a row needs of its page. */
export interface RowMenuContext {
  navigate: (path: string) => void;
  /** Whether the person may change monitors. */
  isEditor: boolean;
  onSelect: (id: number) => void;
}

export function openRowMenu(row: Row, anchor: HTMLElement, context: RowMenuContext): void {
  const { id, name } = row.monitor;
  openMenu({
    label: words.common.actionsFor(name),
    anchor,
    items: [
      ...(context.isEditor ? changesOf(row, context) : []),
      {
        text: words.listExtras.copyId,
        icon: 'copy',
        onSelect: () => void copy(String(id)),
      },
      context.isEditor && 'line',
      context.isEditor && { ...DELETE, onSelect: () => askToDelete([row]) },
    ],
  });
}

function changesOf(row: Row, { navigate, onSelect }: RowMenuContext): MenuItem[] {
  const { id } = row.monitor;
  const rows = [row];
  return [
    {
      text: words.labels.checkNow,
      icon: 'refresh',
      isDisabled: !isChecked(row),
      onSelect: () => void checkAll(rows),
    },
    row.displayStatus === 'paused'
      ? { text: words.labels.resume, icon: 'play', onSelect: () => void resumeAll(rows) }
      : { text: words.labels.pause, icon: 'pause', onSelect: () => void pauseAll(rows) },
    {
      text: words.nav.maintenance,
      icon: 'maintenance',
      onSelect: () => void loadDialogs().then(({ openMaintenance }) => openMaintenance(rows)),
    },
    { text: words.common.edit, icon: 'edit', onSelect: () => navigate(`/monitors/${id}/edit`) },
    {
      text: words.labels.duplicate,
      icon: 'plus',
      onSelect: () => navigate(`/monitors/new?from=${id}`),
    },
    // Its box is not to be seen on a screen that is touched.
    { text: words.listExtras.selectRow, icon: 'check', onSelect: () => onSelect(id) },
  ];
}

async function copy(text: string): Promise<void> {
  const isDone = await copyText(text);
  showToast(isDone ? words.listExtras.copied(text) : words.listExtras.notCopied(text));
}
