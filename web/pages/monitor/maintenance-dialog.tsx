import { useState, type ReactNode } from 'react';
import { ask } from '../../app/api.ts';
import { useSession } from '../../app/session.tsx';
import { startMaintenance } from '../../client/sdk.gen.ts';
import type { MonitorDetail } from '../../client/types.gen.ts';
import { dayAndTime, duration } from '../../lib/format.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Choose, Form, Input } from '../../parts/form.tsx';
import { at } from '../../parts/time.tsx';
import { say } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { readAgain } from './actions.ts';
import { monitorName } from '../../lib/monitor-name.ts';

/** Longest name of a window that the API takes. */
const NAME_LENGTH = 100;
/** Minutes. */
const LENGTHS = [15, 30, 60, 120, 240, 480, 1_440];

/** Starts maintenance of a monitor from now on. */
export function MaintenanceDialog({
  monitor,
  onClose,
}: {
  monitor: MonitorDetail;
  onClose: () => void;
}): ReactNode {
  const { zone } = useSession();
  const [minutes, setMinutes] = useState('60');
  const [name, setName] = useState(
    words.monitor.maintenanceDefault(monitorName(monitor)).slice(0, NAME_LENGTH),
  );
  const start = async () => {
    const body = { name, minutes: Number(minutes), monitors: [monitor.id] };
    const { active_until, ends_at } = await ask(startMaintenance({ body }));
    await readAgain();
    const until = dayAndTime(at(active_until ?? ends_at), Date.now(), zone, words.time);
    onClose();
    say(words.monitor.maintenanceStarted(until));
  };
  return (
    <Dialog title={words.monitor.maintenanceTitle} onClose={onClose}>
      <p className="dim">{words.monitor.maintenanceText}</p>
      <Form submit={words.monitor.maintenanceStart} onSubmit={start} onCancel={onClose}>
        <div className="gap mo-fields">
          <Choose
            name="minutes"
            label={words.monitor.maintenanceLength}
            value={minutes}
            onChange={setMinutes}
            options={LENGTHS.map((length) => ({
              value: String(length),
              text: duration(length * 60_000, words.time),
            }))}
          />
          <Input
            name="name"
            label={words.monitor.maintenanceName}
            hint={words.monitor.maintenanceNameHint}
            value={name}
            onChange={setName}
          />
        </div>
      </Form>
    </Dialog>
  );
}
