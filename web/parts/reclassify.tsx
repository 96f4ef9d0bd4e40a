import { useState, type ReactNode } from 'react';
import { ask, queries, useChange } from '../app/api.ts';
import { useSession } from '../app/session.tsx';
import { createMonitorCorrection, deleteMonitorCorrection } from '../client/sdk.gen.ts';
import type { Correction } from '../client/types.gen.ts';
import { Dialog } from './dialog.tsx';
import { Choose, Form, Input, TextArea } from './form.tsx';
import { say, sayError } from './toast.tsx';
import { fromWallTime, toWallMinute } from '../lib/wall-time.ts';
import { words } from '../words/index.ts';

/** Time of a monitor that shall count otherwise. Null where a person has to say it. */
export interface Interval {
  monitorId: number;
  monitor: string;
  from: string | null;
  to: string | null;
}

const KINDS = ['maintenance', 'false_alarm', 'excluded', 'up', 'down'] as const;
const CHANGED = [
  'reports',
  'monitor',
  'monitors',
  'status-pages',
  'incident',
  'incidents',
] as const;

/** Takes a correction back, and reads the figures again. */
export async function takeBack(monitorId: number, correction: number): Promise<void> {
  await ask(deleteMonitorCorrection({ path: { id: monitorId, correction } }));
  await Promise.all(CHANGED.map((noun) => queries.invalidateQueries({ queryKey: [noun] })));
}

/** Asks how an interval counts, and why. What was recorded stays: both figures are shown from then on. */
export function ReclassifyDialog({
  interval: { monitorId, monitor, from, to },
  onClose,
}: {
  interval: Interval;
  onClose: () => void;
}): ReactNode {
  const w = words.corrections;
  const { zone } = useSession();
  const written = (time: string | null) =>
    time === null ? '' : toWallMinute(Date.parse(time), zone);
  const [kind, setKind] = useState<Correction['as']>('false_alarm');
  const [begin, setBegin] = useState(written(from));
  const [end, setEnd] = useState(written(to));
  const [reason, setReason] = useState('');
  const [evidence, setEvidence] = useState('');
  // Fields hold minutes: a time that nobody changed keeps its seconds.
  const exact = (text: string, time: string | null) =>
    time !== null && text === written(time) ? time : (fromWallTime(text, zone) ?? text);
  const save = useChange(
    () =>
      createMonitorCorrection({
        path: { id: monitorId },
        body: {
          from: exact(begin, from),
          to: exact(end, to),
          as: kind,
          reason,
          ...(evidence.trim() !== '' && { evidence }),
        },
      }),
    CHANGED,
  );
  return (
    <Dialog title={w.reclassifyNamed(monitor)} onClose={onClose}>
      <Form
        submit={w.reclassify}
        onCancel={onClose}
        onSubmit={async () => {
          const { id } = await save.mutateAsync(undefined);
          say(w.reclassified(monitor), () => void takeBack(monitorId, id).catch(sayError));
          onClose();
        }}
      >
        <div className="gap">
          <p className="dim">{w.reclassifyHint}</p>
          <Choose
            name="as"
            label={w.countsAs}
            hint={w.asHint[kind]}
            value={kind}
            onChange={(value) => setKind(value as Correction['as'])}
            options={KINDS.map((value) => ({ value, text: w.as[value] }))}
          />
          <div className="pair">
            <Input
              name="from"
              type="datetime-local"
              label={w.from}
              hint={zone}
              value={begin}
              onChange={setBegin}
            />
            <Input name="to" type="datetime-local" label={w.to} value={end} onChange={setEnd} />
          </div>
          <TextArea
            name="reason"
            label={w.reason}
            hint={w.reasonHint}
            rows={2}
            value={reason}
            onChange={setReason}
          />
          <Input
            name="evidence"
            label={w.evidence}
            hint={w.evidenceHint}
            isOptional={kind !== 'up' && kind !== 'down'}
            value={evidence}
            onChange={setEvidence}
          />
        </div>
      </Form>
    </Dialog>
  );
}
