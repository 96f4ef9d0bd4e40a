import { ask, deleteShown, queries } from '../../app/api.ts';
import { deleteMaintenanceWindow, endMaintenance } from '../../client/sdk.gen.ts';
import type { MaintenanceWindow } from '../../client/types.gen.ts';
import { confirm } from '../../parts/dialog.tsx';
import { say } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';

/** Reads windows again, and monitors, whose standing depends on them. */
function reread(): Promise<unknown> {
  return Promise.all(
    ['maintenance-windows', 'monitors'].map((noun) =>
      queries.invalidateQueries({ queryKey: [noun] }),
    ),
  );
}

/** Asks, then ends what is active. */
export function askToEnd({ id, name }: MaintenanceWindow): void {
  const { maintenance } = words;
  confirm({
    title: maintenance.endTitle(name),
    text: maintenance.endText,
    action: maintenance.end,
    onConfirm: async () => {
      await ask(endMaintenance({ path: { id } }));
      say(maintenance.ended(name));
      await reread();
    },
  });
}

/** Asks, then deletes a window. */
export function askToDelete({ id, name, status }: MaintenanceWindow, onDeleted: () => void): void {
  const { maintenance } = words;
  confirm({
    title: maintenance.deleteTitle(name),
    text: (
      <>
        {status === 'active' && <p>{maintenance.deleteActive}</p>}
        <p>{maintenance.deleteText}</p>
      </>
    ),
    action: words.common.delete,
    onConfirm: async () => {
      await deleteShown(['maintenance-windows', id], () =>
        deleteMaintenanceWindow({ path: { id } }),
      );
      onDeleted();
      say(maintenance.deleted(name));
      await Promise.all(
        ['maintenance-windows', 'monitors'].map((noun) =>
          queries.invalidateQueries({ queryKey: [noun] }),
        ),
      );
    },
  });
}
