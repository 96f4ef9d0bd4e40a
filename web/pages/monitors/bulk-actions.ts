import { useRef, useState } from 'react';
import { reread } from '../../app/api.ts';
import { ApiError, call, messageOf, type BodyOf } from '../../app/client.ts';
import { confirm } from '../../parts/dialog.tsx';
import { showError, showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { byGroup, inSlices, MAX_IDS, slicesOf, type Outcome } from './bulk.ts';
import type { Row } from './rows.ts';
import { listOf } from './sentences.ts';

/** Called with the number of monitors that are done, of how many. Returns whether to go on. */
export type OnProgress = (done: number, total: number) => boolean;

/** Sentence about a number of monitors, with the name of the only one. */
type Said = (count: number, name: string) => string;

type Change = Omit<BodyOf<'changeMonitors'>, 'ids' | 'filter' | 'dry_run'>;

/** Number of monitors from which on their number must be typed before they are deleted. */
const TYPED_FROM = 10;

/** Pauses the monitors that are not paused yet, with a way back. */
export function pauseAll(rows: readonly Row[], onProgress?: OnProgress): Promise<void> {
  return changeAll(rows, { action: 'pause' }, words.bulk.paused, onProgress, { action: 'resume' });
}

/** Has paused monitors checked again, with a way back. */
export function resumeAll(rows: readonly Row[], onProgress?: OnProgress): Promise<void> {
  return changeAll(rows, { action: 'resume' }, words.bulk.resumed, onProgress, { action: 'pause' });
}

/** Gives monitors a tag; a way back takes it only from those that were without it. */
export function tagAll(rows: readonly Row[], tag: string, onProgress?: OnProgress): Promise<void> {
  const [add, remove] = tagging(tag);
  return changeAll(rows, add, words.bulk.tagged(tag), onProgress, remove);
}

/** Takes a tag from monitors; a way back gives it only to those that had it. */
export function untagAll(
  rows: readonly Row[],
  tag: string,
  onProgress?: OnProgress,
): Promise<void> {
  const [add, remove] = tagging(tag);
  return changeAll(rows, remove, words.bulk.untagged(tag), onProgress, add);
}

function tagging(tag: string): [add: Change, remove: Change] {
  return [
    { action: 'add_tags', tags: [tag] },
    { action: 'remove_tags', tags: [tag] },
  ];
}

/** Moves monitors to a group, or out of all; a way back moves each to where it was. */
export function moveAll(
  rows: readonly Row[],
  group: { id: number | null; name: string },
  onProgress?: OnProgress,
): Promise<void> {
  const monitors = rows.map(({ monitor }) => monitor);
  const said = words.bulk.moved(group.name);
  return changeAll(rows, { action: 'move', group_id: group.id }, said, onProgress, async (ids) => {
    for (const [before, members] of byGroup(monitors, new Set(ids)))
      await send(members, { action: 'move', group_id: before });
  });
}

/** Asks, then deletes monitors; by `run`, if given, which goes on when the question is closed. */
export function askToDelete(rows: readonly Row[], run?: BulkRun['run']): void {
  const { bulk } = words;
  const count = rows.length;
  const act: Act = (all, onProgress) =>
    changeAll(all, { action: 'delete' }, bulk.deleted, onProgress);
  confirm({
    title: bulk.deleteTitle(count, nameOf(rows)),
    text: bulk.deleteText(listOf(namesOf(rows))),
    action: words.common.delete,
    ...(count >= TYPED_FROM && { typed: String(count) }),
    onConfirm: async () => {
      if (run === undefined) await act(rows, () => true);
      else void run(act);
    },
  });
}

/** Checks monitors now, one after another until the limit of checks a minute is reached. Paused ones and jobs are not. */
export async function checkAll(rows: readonly Row[], onProgress?: OnProgress): Promise<void> {
  const { bulk } = words;
  const ids = rows.filter(isChecked).map(({ monitor }) => monitor.id);
  if (ids.length === 0) return showToast(bulk.nothingToCheck);
  let refusal: ApiError | null = null;
  const check = async ([id]: number[]) => {
    if (refusal !== null) throw refusal;
    try {
      return await call('checkMonitor', { path: { id: id! } });
    } catch (error) {
      if (error instanceof ApiError && error.status === 429) refusal = error;
      throw error;
    }
  };
  const outcome = await inSlices(ids, check, {
    size: 1,
    onProgress: (done) => onProgress?.(done, ids.length),
  });
  await readAgain();
  report(rows, outcome, outcome.answers.length, bulk.checked);
}

/** Whether Tocsin calls the monitor, rather than waits for its pings, and is not paused. */
export function isChecked({ monitor, displayStatus }: Row): boolean {
  return displayStatus !== 'paused' && monitor.schedule === undefined;
}

/**
 * Starts maintenance of monitors that ends at a time, with a way back. Throws an ApiError when no window could be made.
 *
 * @param endsAt in milliseconds
 */
export async function maintainAll(
  rows: readonly Row[],
  { name, endsAt, zone }: { name: string; endsAt: number; zone: string },
): Promise<void> {
  const ids = rows.map(({ monitor }) => monitor.id);
  const starts_at = new Date().toISOString();
  const body = { name, starts_at, ends_at: new Date(endsAt).toISOString(), timezone: zone };
  const outcome = await inSlices(ids, (monitors) =>
    call('createMaintenanceWindow', { body: { ...body, monitors } }),
  );
  await readAgain('maintenance-windows');
  if (outcome.answers.length === 0 && outcome.failures[0] !== undefined)
    throw outcome.failures[0].error;
  const failed = outcome.failures.flatMap((failure) => failure.ids).length;
  const undo = async () => {
    for (const { id } of outcome.answers) await call('deleteMaintenanceWindow', { path: { id } });
    await readAgain('maintenance-windows');
  };
  report(rows, outcome, ids.length - failed, words.bulk.inMaintenance, undo);
}

/** @param undo changes what was changed back */
async function changeAll(
  rows: readonly Row[],
  change: Change,
  said: Said,
  onProgress?: OnProgress,
  undo?: Change | ((ids: number[]) => Promise<void>),
): Promise<void> {
  const ids = rows.map(({ monitor }) => monitor.id);
  const outcome = await inSlices(
    ids,
    (slice) => call('changeMonitors', { body: { ...change, ids: slice } }),
    { onProgress: (done) => onProgress?.(done, ids.length) },
  );
  await readAgain();
  const changed = outcome.answers.flatMap((answer) => answer.ids);
  const takeBack = async () => {
    await (typeof undo === 'function' ? undo(changed) : send(changed, undo!));
    await readAgain();
  };
  const isUndoable = undo !== undefined && changed.length > 0;
  const only = rows.filter(({ monitor }) => changed.includes(monitor.id));
  report(
    only.length === 1 ? only : rows,
    outcome,
    changed.length,
    said,
    isUndoable ? takeBack : undefined,
  );
}

async function send(ids: readonly number[], change: Change): Promise<void> {
  for (const slice of slicesOf(ids, MAX_IDS))
    await call('changeMonitors', { body: { ...change, ids: slice } });
}

/** Says what happened, and which monitors it did not happen to. */
function report(
  rows: readonly Row[],
  { failures }: Outcome<unknown>,
  count: number,
  said: Said,
  undo?: () => Promise<unknown>,
): void {
  const takeBack = undo && (() => void undo().catch(showError));
  if (count > 0 || failures.length === 0) showToast(said(count, nameOf(rows)), takeBack);
  if (failures.length === 0) return;
  const ids = new Set(failures.flatMap((failure) => failure.ids));
  const failed = rows.filter(({ monitor }) => ids.has(monitor.id));
  const { error } = failures[0]!;
  const reason = messageOf(error);
  showToast(words.bulk.failed(listOf(namesOf(failed)), reason));
}

function readAgain(...also: string[]): Promise<unknown> {
  const nouns = ['monitors', 'monitor', 'incidents', 'groups', ...also];
  return reread(...nouns);
}

function namesOf(rows: readonly Row[]): string[] {
  return rows.map(({ monitor }) => monitor.name);
}

/** Name of the first: sentences about one monitor name it. */
function nameOf(rows: readonly Row[]): string {
  return rows[0]?.monitor.name ?? '';
}

/** An action on monitors, which says how far it is and asks whether to go on. */
type Act = (rows: readonly Row[], onProgress: OnProgress) => Promise<unknown>;

export interface BulkRun {
  /** How far the action is that runs now; null when none does, or one so short that it says nothing. */
  progress: { done: number; total: number } | null;
  /** Runs an action on the rows that are selected. */
  run: (act: Act) => Promise<void>;
  /** Lets the action end after the request that is under way. */
  stop: () => void;
}

/** Runs actions on monitors with their progress and a way to stop them. */
export function useBulkRun(rows: readonly Row[]): BulkRun {
  const [progress, setProgress] = useState<BulkRun['progress']>(null);
  const isStopped = useRef(false);
  const onProgress: OnProgress = (done, total) => {
    setProgress(done < total ? { done, total } : null);
    return !isStopped.current;
  };
  const run = async (act: Act) => {
    isStopped.current = false;
    if (rows.length > MAX_IDS) onProgress(0, rows.length);
    try {
      await act(rows, onProgress);
    } finally {
      setProgress(null);
    }
  };
  const stop = () => {
    isStopped.current = true;
  };
  return { progress, run, stop };
}
