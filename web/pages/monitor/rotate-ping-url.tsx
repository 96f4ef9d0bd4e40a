import { useState, type ReactNode } from 'react';
import { ask } from '../../app/api.ts';
import { useSession } from '../../app/session.tsx';
import { rotatePingUrl } from '../../client/sdk.gen.ts';
import type { MonitorDetail } from '../../client/types.gen.ts';
import { dayAndTime, duration } from '../../lib/format.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Choose, Form } from '../../parts/form.tsx';
import { say } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { readAgain } from './actions.ts';
import { monitorName } from '../../lib/monitor-name.ts';

/** Times for which the old URL may work, in seconds: none, an hour, a day, a week. */
const TIMES = [0, 3_600, 86_400, 604_800];

/** Button that replaces the ping URL, once the person has said how long the old one works. */
export function RotatePingUrl({ monitor }: { monitor: MonitorDetail }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { isAtLeast } = useSession();
  if (!isAtLeast('editor')) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>{words.push.url.rotate}</Button>
      {isOpen && <RotateDialog monitor={monitor} onClose={() => setOpen(false)} />}
    </>
  );
}

function RotateDialog({
  monitor,
  onClose,
}: {
  monitor: MonitorDetail;
  onClose: () => void;
}): ReactNode {
  const { zone } = useSession();
  const [seconds, setSeconds] = useState('86400');
  const { url } = words.push;
  const name = monitorName(monitor);
  const rotate = async () => {
    const keepSeconds = Number(seconds);
    await ask(rotatePingUrl({ path: { id: monitor.id }, body: { keep_old_for: keepSeconds } }));
    await readAgain();
    onClose();
    say(url.rotated(name, keepSeconds === 0 ? null : endOf(keepSeconds, zone)));
  };
  return (
    <Dialog title={url.rotateTitle} onClose={onClose}>
      <p className="dim">{url.rotateText(name)}</p>
      <Form submit={url.rotate} onSubmit={rotate} onCancel={onClose}>
        <Choose
          name="keep_old_for"
          label={url.keepOld}
          value={seconds}
          onChange={setSeconds}
          options={TIMES.map((time) => ({
            value: String(time),
            text: time === 0 ? url.endNow : duration(time * 1_000, words.time),
          }))}
        />
      </Form>
    </Dialog>
  );
}

function endOf(seconds: number, zone: string): string {
  const now = Date.now();
  return dayAndTime(now + seconds * 1_000, now, zone, words.time);
}
