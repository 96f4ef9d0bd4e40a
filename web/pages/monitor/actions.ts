import { ask, deleteShown, queries } from '../../app/api.ts';
import { deleteMonitor, pauseMonitor, resumeMonitor } from '../../client/sdk.gen.ts';
import type { MonitorDetail } from '../../client/types.gen.ts';
import { copyText } from '../../parts/copy.tsx';
import { confirm } from '../../parts/dialog.tsx';
import { say, sayError } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { monitorName } from '../../lib/monitor-name.ts';

/** Reads again what a change of a monitor concerns. */
export async function readAgain(): Promise<void> {
  await Promise.all(
    ['monitor', 'monitors', 'incidents'].map((noun) =>
      queries.invalidateQueries({ queryKey: [noun] }),
    ),
  );
}

/** Pauses a monitor, with a way back. */
export async function pause(monitor: MonitorDetail): Promise<void> {
  const { id } = monitor;
  await act(
    () => ask(pauseMonitor({ path: { id } })),
    words.monitor.paused(monitorName(monitor)),
    () => void resume(monitor),
  );
}

/** Has a paused monitor checked again. */
export async function resume(monitor: MonitorDetail): Promise<void> {
  const { id } = monitor;
  await act(
    () => ask(resumeMonitor({ path: { id } })),
    words.monitor.resumed(monitorName(monitor)),
  );
}

/** Copies a text and says so. */
export async function copy(text: string, shown = text): Promise<void> {
  const isDone = await copyText(text);
  say(isDone ? words.monitor.copiedText(shown) : words.monitor.notCopied);
}

/** Asks, then deletes a monitor. `leave` is called when it is gone. */
export function askToDelete(monitor: MonitorDetail, leave: () => void): void {
  const { id, monitor_type } = monitor;
  const isPush = monitor_type === 'heartbeat' || monitor_type === 'cron';
  confirm({
    title: words.monitor.deleteTitle(monitorName(monitor)),
    text: isPush ? words.monitor.deletePushText : words.monitor.deleteText,
    action: words.common.delete,
    onConfirm: async () => {
      await deleteShown(['monitor', id], () => deleteMonitor({ path: { id } }));
      leave();
      await queries.invalidateQueries({ queryKey: ['monitors'] });
      say(words.monitor.deleted(monitorName(monitor)));
    },
  });
}

async function act(run: () => Promise<unknown>, done: string, undo?: () => void): Promise<void> {
  try {
    await run();
    await readAgain();
    say(done, undo);
  } catch (error) {
    sayError(error);
  }
}
