import { ask, queries } from '../../app/api.ts';
import { BASE } from '../../app/place.ts';
import { checkMonitor, deleteMonitor, pauseMonitor, resumeMonitor } from '../../client/sdk.gen.ts';
import { confirm } from '../../parts/dialog.tsx';
import { openMenu, type MenuItem } from '../../parts/menu.tsx';
import { say, sayError } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import type { Row } from './rows.ts';

/** Opens the menu of a monitor at its button. */
export function openRowMenu({ monitor, standing }: Row, anchor: HTMLElement): void {
  const { id, name } = monitor;
  const isPaused = standing === 'paused';
  const items: (MenuItem | 'line')[] = [
    {
      text: words.monitors.checkNow,
      icon: 'play',
      isDisabled: isPaused || monitor.schedule !== undefined,
      onSelect: () =>
        void act(() => ask(checkMonitor({ path: { id } })), words.monitors.checked(name)),
    },
    isPaused
      ? { text: words.monitors.resume, icon: 'play', onSelect: () => void resume(id, name) }
      : { text: words.monitors.pause, icon: 'pause', onSelect: () => void pause(id, name) },
    {
      text: words.common.edit,
      icon: 'edit',
      onSelect: () => location.assign(`${BASE}/monitors/${id}/edit`),
    },
    'line',
    {
      text: words.common.delete,
      icon: 'trash',
      isDanger: true,
      onSelect: () => askToDelete(id, name),
    },
  ];
  openMenu({ label: words.common.actionsFor(name), anchor, items });
}

async function pause(id: number, name: string): Promise<void> {
  await act(
    () => ask(pauseMonitor({ path: { id } })),
    words.monitors.paused(name),
    () => void resume(id, name),
  );
}

async function resume(id: number, name: string): Promise<void> {
  await act(() => ask(resumeMonitor({ path: { id } })), words.monitors.resumed(name));
}

function askToDelete(id: number, name: string): void {
  confirm({
    title: words.monitors.deleteTitle(name),
    text: words.monitors.deleteText,
    action: words.common.delete,
    onConfirm: async () => {
      await ask(deleteMonitor({ path: { id } }));
      await queries.invalidateQueries({ queryKey: ['monitors'] });
      say(words.monitors.deleted(name));
    },
  });
}

async function act(run: () => Promise<unknown>, done: string, undo?: () => void): Promise<void> {
  try {
    await run();
    await queries.invalidateQueries({ queryKey: ['monitors'] });
    say(done, undo);
  } catch (error) {
    sayError(error);
  }
}
