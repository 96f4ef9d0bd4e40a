import { useId } from 'react';
import { ApiError } from '../../app/client.ts';
import { useTeamNames } from '../../app/names.ts';
import { useSession } from '../../app/session.ts';
import { fromWallTime, toWallMinute } from '../../lib/wall-time.ts';
import { openDialog } from '../../parts/dialog.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Choose, Input, useForm } from '../../parts/form.tsx';
import { showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { maintainAll, tagAll, type BulkRun } from './bulk-actions.ts';
import { withSaved, writeFilter, type Filter } from './filter.ts';
import { saveFilters, useSavedFilters } from './kept-state.ts';
import type { Row } from './rows.ts';

interface DialogOf {
  rows: readonly Row[];
  onClose: () => void;
}

/** Gives monitors a tag, a known one or a new one. */
export const openTag = (rows: readonly Row[], run: BulkRun['run']) =>
  openDialog((onClose) => <TagDialog {...{ rows, run, onClose }} />);

function TagDialog({ rows, run, onClose }: DialogOf & Pick<BulkRun, 'run'>) {
  const { bulk } = words;
  const { tags } = useTeamNames();
  const list = useId();
  const { draft, form } = useForm(null, { tags: '' });
  const add = async () => {
    const tag = draft.tags.trim();
    if (tag === '') throw new ApiError(0, { errors: { tags: [bulk.tagNeeded] } });
    void run((all, onProgress) => tagAll(all, tag, onProgress));
  };
  return (
    <FormDialog
      title={bulk.tagTitle(rows.length, rows[0]?.monitor.name ?? '')}
      {...form}
      submit={bulk.tag}
      onSubmit={add}
      onClose={onClose}
    >
      <Input name="tags" label={words.monitors.tag} maxLength={50} list={list} />
      <datalist id={list}>
        {tags.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </datalist>
    </FormDialog>
  );
}

const HOUR_MS = 3_600_000;
const HOURS = ['1', '4', '24'] as const;

/** Puts monitors in maintenance from now on. */
export const openMaintenance = (rows: readonly Row[]) =>
  openDialog((onClose) => <MaintenanceDialog {...{ rows, onClose }} />);

function MaintenanceDialog({ rows, onClose }: DialogOf) {
  const { bulk } = words;
  const { zone } = useSession();
  const { draft, form } = useForm(null, () => ({
    length: '1',
    ends_at: toWallMinute(Date.now() + 2 * HOUR_MS, zone),
    name: '',
  }));
  const start = async () => {
    const { length, ends_at: until, name } = draft;
    const ends = length === '' ? fromWallTime(until, zone) : null;
    if (length === '' && ends === null)
      throw new ApiError(0, { errors: { ends_at: [bulk.untilNeeded] } });
    const endsAt = ends === null ? Date.now() + Number(length) * HOUR_MS : Date.parse(ends);
    await maintainAll(rows, { name: name.trim() || words.nav.maintenance, endsAt, zone });
  };
  return (
    <FormDialog
      title={bulk.maintenanceTitle(rows.length, rows[0]?.monitor.name ?? '')}
      text={bulk.maintenanceText}
      {...form}
      submit={bulk.maintenanceStart}
      onSubmit={start}
      onClose={onClose}
    >
      <div className="gap">
        <Choose
          name="length"
          label={bulk.length}
          options={[
            ...HOURS.map((value) => ({ value, text: bulk.hours(Number(value)) })),
            { value: '', text: bulk.until },
          ]}
        />
        {draft.length === '' && (
          <Input name="ends_at" type="datetime-local" label={bulk.untilLabel(zone)} />
        )}
        <Input
          name="name"
          label={words.labels.reason}
          isOptional
          maxLength={100}
          placeholder={words.nav.maintenance}
        />
      </div>
    </FormDialog>
  );
}

/** Asks for the name of a filter, and saves it. */
export const openName = (filter: Filter) =>
  openDialog((onClose) => <NameDialog {...{ filter, onClose }} />);

function NameDialog({ filter, onClose }: { filter: Filter; onClose: () => void }) {
  const saved = useSavedFilters();
  const { draft, form } = useForm(null, { name: '' });
  const { saved: texts } = words.listExtras;
  const save = async () => {
    const name = draft.name.trim();
    if (name === '') throw new ApiError(0, { errors: { name: [texts.nameNeeded] } });
    saveFilters(withSaved(saved, { name, search: writeFilter(filter) }));
    showToast(texts.done(name));
  };
  return (
    <FormDialog title={texts.save} {...form} onSubmit={save} onClose={onClose}>
      <Input name="name" label={words.labels.name} hint={texts.hint} maxLength={60} />
    </FormDialog>
  );
}
