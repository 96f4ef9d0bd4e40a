import { reread } from '../app/api.ts';
import { call, type Correction } from '../app/client.ts';
import { useSession } from '../app/session.ts';
import { MONITOR_CORRECTION } from '../app/fields.gen.ts';
import { fromWallTime, toWallMinute } from '../lib/wall-time.ts';
import { words } from '../words/index.ts';
import { openDialog } from './dialog.tsx';
import { FormDialog } from './form-dialog.tsx';
import { Choose, Input, TextArea, useForm } from './form.tsx';
import { showToast, showError } from './toast.tsx';

/** Time of a monitor that shall count otherwise. Null where a person has to say it. */
export interface Interval {
  monitorId: number;
  monitor: string;
  from: string | null;
  to: string | null;
}

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
  await call('deleteMonitorCorrection', { path: { id: monitorId, correction } });
  await reread(...CHANGED);
}

/** Asks how an interval counts, and why. What was recorded stays: both figures are shown from then on. */
export function reclassify(interval: Interval): void {
  openDialog((onClose) => <ReclassifyDialog interval={interval} onClose={onClose} />);
}

function ReclassifyDialog(props: { interval: Interval; onClose: () => void }) {
  const {
    interval: { monitorId, monitor, from, to },
    onClose,
  } = props;
  const w = words.corrections;
  const { zone } = useSession();
  const written = (time: string | null) =>
    time === null ? '' : toWallMinute(Date.parse(time), zone);
  const { draft, form } = useForm(MONITOR_CORRECTION, {
    from: written(from),
    to: written(to),
    as: 'false_alarm' as Correction['as'],
    reason: '',
    evidence: '',
  });
  // Fields hold minutes: a time that nobody changed keeps its seconds.
  const exact = (text: string, time: string | null) =>
    time !== null && text === written(time) ? time : (fromWallTime(text, zone) ?? text);
  const save = async () => {
    const { evidence, ...body } = draft;
    const { id } = await call('createMonitorCorrection', {
      path: { id: monitorId },
      body: {
        ...body,
        from: exact(body.from, from),
        to: exact(body.to, to),
        ...(evidence.trim() !== '' && { evidence }),
      },
    });
    await reread(...CHANGED);
    showToast(w.reclassified(monitor), () => void takeBack(monitorId, id).catch(showError));
  };
  return (
    <FormDialog
      title={w.reclassifyNamed(monitor)}
      {...form}
      submit={w.reclassify}
      onSubmit={save}
      onClose={onClose}
    >
      <div className="gap">
        <p className="dim">{w.reclassifyHint}</p>
        <Choose name="as" label={w.countsAs} hint={w.asHint[draft.as]} texts={w.as} />
        <div className="two">
          <Input name="from" type="datetime-local" label={words.labels.from} hint={zone} />
          <Input name="to" type="datetime-local" label={words.labels.to} />
        </div>
        <TextArea name="reason" label={words.labels.reason} hint={w.reasonHint} rows={2} />
        <Input
          name="evidence"
          label={w.evidence}
          hint={w.evidenceHint}
          isOptional={draft.as !== 'up' && draft.as !== 'down'}
        />
      </div>
    </FormDialog>
  );
}
