import { deleteShown, reread } from '../../app/api.ts';
import { call, type MonitorDetail } from '../../app/client.ts';
import { monitorName } from '../../lib/monitor-name.ts';
import { faceOf } from '../../lib/monitor-types.ts';
import { copyText } from '../../parts/copy.tsx';
import { confirm } from '../../parts/dialog.tsx';
import { showToast, showError } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';

/** Reads again what a change of a monitor concerns. */
export async function readAgain(): Promise<void> {
  await reread('monitor', 'monitors', 'incidents');
}

/** Pauses a monitor, with a way back. */
export async function pause(monitor: MonitorDetail): Promise<void> {
  const { id } = monitor;
  await act(
    () => call('pauseMonitor', { path: { id } }),
    words.monitor.paused(monitorName(monitor)),
    () => void resume(monitor),
  );
}

/** Has a paused monitor checked again. */
export async function resume(monitor: MonitorDetail): Promise<void> {
  const { id } = monitor;
  await act(
    () => call('resumeMonitor', { path: { id } }),
    words.monitor.resumed(monitorName(monitor)),
  );
}

/** Copies a text and says so. */
export async function copy(text: string, shown = text): Promise<void> {
  const isDone = await copyText(text);
  showToast(isDone ? words.monitor.copiedText(shown) : words.monitor.notCopied);
}

/** Asks, then deletes a monitor. `leave` is called when it is gone. */
export function askToDelete(monitor: MonitorDetail, leave: () => void): void {
  const { id, monitor_type } = monitor;
  const { isPush } = faceOf(monitor_type);
  confirm({
    title: words.monitor.deleteTitle(monitorName(monitor)),
    text: isPush ? words.monitor.deletePushText : words.monitor.deleteText,
    action: words.common.delete,
    onConfirm: async () => {
      await deleteShown(['monitor', id], () => call('deleteMonitor', { path: { id } }));
      leave();
      await reread('monitors');
      showToast(words.monitor.deleted(monitorName(monitor)));
    },
  });
}

async function act(run: () => Promise<unknown>, done: string, undo?: () => void): Promise<void> {
  try {
    await run();
    await readAgain();
    showToast(done, undo);
  } catch (error) {
    showError(error);
  }
}
