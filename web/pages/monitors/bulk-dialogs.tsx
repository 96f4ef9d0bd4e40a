import { useId, useState, type ReactNode } from 'react';
import { ApiError } from '../../app/api.ts';
import { useTeamNames } from '../../app/names.ts';
import { useSession } from '../../app/session.tsx';
import { fromWallTime, toWallMinute } from '../../lib/wall-time.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Choose, Form, Input } from '../../parts/form.tsx';
import { words } from '../../words/index.ts';
import { maintainAll, tagAll } from './bulk-actions.ts';
import type { BulkDialog } from './bulk-bar.tsx';
import type { BulkRun } from './bulk-run.ts';
import type { Row } from './rows.ts';

interface DialogOf {
  rows: readonly Row[];
  onClose: () => void;
}

/** The dialog that an action on monitors needs. */
export default function BulkDialogs({
  dialog,
  onClose,
}: {
  dialog: BulkDialog;
  onClose: () => void;
}): ReactNode {
  const { rows } = dialog;
  return dialog.kind === 'tag' ? (
    <TagDialog {...{ rows, run: dialog.run, onClose }} />
  ) : (
    <MaintenanceDialog {...{ rows, onClose }} />
  );
}

/** Gives monitors a tag, a known one or a new one. */
function TagDialog({ rows, run, onClose }: DialogOf & Pick<BulkRun, 'run'>): ReactNode {
  const { bulk } = words.monitors;
  const { tags } = useTeamNames();
  const list = useId();
  const [tag, setTag] = useState('');
  const add = async () => {
    if (tag.trim() === '') throw new ApiError(0, { errors: { tags: [bulk.tagNeeded] } });
    onClose();
    await run((all, onProgress) => tagAll(all, tag.trim(), onProgress));
  };
  return (
    <Dialog title={bulk.tagTitle(rows.length, rows[0]?.monitor.name ?? '')} onClose={onClose}>
      <Form submit={bulk.tag} onSubmit={add} onCancel={onClose}>
        <Input
          name="tags"
          label={words.monitors.tag}
          maxLength={50}
          list={list}
          value={tag}
          onChange={setTag}
        />
        <datalist id={list}>
          {tags.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </datalist>
      </Form>
    </Dialog>
  );
}

const HOUR_MS = 3_600_000;
const HOURS = ['1', '4', '24'] as const;

/** Puts monitors in maintenance from now on. */
function MaintenanceDialog({ rows, onClose }: DialogOf): ReactNode {
  const { bulk } = words.monitors;
  const { zone } = useSession();
  const [length, setLength] = useState('1');
  const [until, setUntil] = useState(() => toWallMinute(Date.now() + 2 * HOUR_MS, zone));
  const [name, setName] = useState('');
  const start = async () => {
    const ends = length === '' ? fromWallTime(until, zone) : null;
    if (length === '' && ends === null)
      throw new ApiError(0, { errors: { ends_at: [bulk.untilNeeded] } });
    const endsAt = ends === null ? Date.now() + Number(length) * HOUR_MS : Date.parse(ends);
    await maintainAll(rows, { name: name.trim() || bulk.maintenance, endsAt, zone });
    onClose();
  };
  return (
    <Dialog
      title={bulk.maintenanceTitle(rows.length, rows[0]?.monitor.name ?? '')}
      onClose={onClose}
    >
      <p className="dim">{bulk.maintenanceText}</p>
      <Form submit={bulk.maintenanceStart} onSubmit={start} onCancel={onClose}>
        <div className="gap">
          <Choose
            name="length"
            label={bulk.length}
            value={length}
            onChange={setLength}
            options={[
              ...HOURS.map((value) => ({ value, text: bulk.hours(Number(value)) })),
              { value: '', text: bulk.until },
            ]}
          />
          {length === '' && (
            <Input
              name="ends_at"
              type="datetime-local"
              label={bulk.untilLabel(zone)}
              value={until}
              onChange={setUntil}
            />
          )}
          <Input
            name="name"
            label={bulk.reason}
            isOptional
            maxLength={100}
            placeholder={bulk.maintenance}
            value={name}
            onChange={setName}
          />
        </div>
      </Form>
    </Dialog>
  );
}
