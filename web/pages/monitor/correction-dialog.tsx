import { useState, type ReactNode } from 'react';
import { ask } from '../../app/api.ts';
import { useSession } from '../../app/session.tsx';
import { createMonitorCorrection } from '../../client/sdk.gen.ts';
import type { Correction, MonitorDetail } from '../../client/types.gen.ts';
import { fromWallTime, toWallTime } from '../../lib/wall-time.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Choose, Form, Input, TextArea } from '../../parts/form.tsx';
import { say } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { readAgain } from './actions.ts';

const KINDS: Correction['as'][] = ['maintenance', 'false_alarm', 'excluded', 'up', 'down'];
const HOUR_MS = 3_600_000;

/** Counts a time otherwise. It opens with the newest outage. */
export function CorrectionDialog({
  monitor,
  onClose,
}: {
  monitor: MonitorDetail;
  onClose: () => void;
}): ReactNode {
  const { zone } = useSession();
  const { corrections } = words.monitor;
  const [initial] = useState(() => newestOutage(monitor));
  const [from, setFrom] = useState(toWallTime(initial.from, zone));
  const [to, setTo] = useState(toWallTime(initial.to, zone));
  const [as, setAs] = useState<string>('false_alarm');
  const [reason, setReason] = useState('');
  const [evidence, setEvidence] = useState('');
  const submit = async () => {
    await ask(
      createMonitorCorrection({
        path: { id: monitor.id },
        body: {
          from: fromWallTime(from, zone) ?? from,
          to: fromWallTime(to, zone) ?? to,
          as: KINDS.find((kind) => kind === as) ?? 'false_alarm',
          reason,
          evidence: evidence.trim() === '' ? null : evidence,
        },
      }),
    );
    await readAgain();
    onClose();
    say(corrections.added);
  };
  return (
    <Dialog title={corrections.dialog} size="large" onClose={onClose}>
      <p className="dim">{corrections.hint}</p>
      <Form submit={corrections.submit} onSubmit={submit} onCancel={onClose}>
        <div className="gap mo-fields">
          <div className="mo-pair">
            <Input
              name="from"
              label={corrections.from}
              type="datetime-local"
              step={1}
              value={from}
              onChange={setFrom}
            />
            <Input
              name="to"
              label={corrections.to}
              type="datetime-local"
              step={1}
              value={to}
              onChange={setTo}
            />
          </div>
          <p className="xs faint">{corrections.zone(zone)}</p>
          <Choose
            name="as"
            label={corrections.as}
            value={as}
            onChange={setAs}
            options={KINDS.map((kind) => ({ value: kind, text: corrections.kinds[kind] }))}
          />
          <TextArea
            name="reason"
            label={corrections.reason}
            hint={corrections.reasonHint}
            value={reason}
            onChange={setReason}
          />
          <Input
            name="evidence"
            label={corrections.evidence}
            hint={corrections.evidenceHint}
            isOptional
            value={evidence}
            onChange={setEvidence}
          />
        </div>
      </Form>
    </Dialog>
  );
}

/** Time of the newest incident; without one the last hour. Epoch milliseconds. */
function newestOutage({ incidents }: MonitorDetail): { from: number; to: number } {
  const [newest] = incidents;
  if (newest === undefined) return { from: Date.now() - HOUR_MS, to: Date.now() };
  const to = newest.ended_at === null ? Date.now() : Date.parse(newest.ended_at);
  return { from: Date.parse(newest.started_at), to };
}
