/** What is known of a monitor on which another one depends, directly or not. Times are epoch milliseconds. */
export interface ParentState {
  status: string;
  isPaused: boolean;
  /** It fails, and that is being confirmed. */
  isSuspected: boolean;
  lastCheckedAt: number | null;
  /** Since when a critical incident of it is open. */
  downSince: number | null;
  /** When its newest critical incident ended. */
  recoveredAt: number | null;
}

/** So long the first look at a parent since its child failed is waited for. */
const PARENT_LOOK_MS = 75_000;
/**
 * So long it is waited for what is found out of a parent that may be down: ten bad rounds, the most that are asked for,
 * come sooner. One whose probes are lost meanwhile stays in doubt.
 */
const CONFIRM_MS = 5 * 60_000;
/** So long a child is given to recover after its parent did. */
const CHILD_LOOK_MS = 120_000;
const SOON_MS = 2_000;
const LATER_MS = 15_000;

/**
 * When to look again whether people are to be told of a failing monitor (epoch ms): null when they are, now. They are
 * not while a parent is down, while it is not known yet whether one is, and right after one recovered.
 *
 * @param child since when it fails, and its last check.
 */
export function heldByParents(
  child: { startedAt: number; toldAbleAt: number; lastCheckedAt: number | null },
  parents: readonly ParentState[],
  now: number,
): number | null {
  let again: number | null = null;
  const hold = (until: number) => (again = Math.min(again ?? Infinity, until));
  for (const parent of parents) {
    if (parent.isPaused) continue;
    if (parent.downSince !== null) hold(now + LATER_MS);
    else if (parent.isSuspected && now < child.toldAbleAt + CONFIRM_MS) hold(now + SOON_MS);
    else if (isUnseen(parent, child.startedAt) && now < child.toldAbleAt + PARENT_LOOK_MS)
      hold(now + SOON_MS);
    else if (isFreshlyUp(parent, child.lastCheckedAt, now)) hold(now + SOON_MS);
  }
  return again;
}

/** Whether nobody has looked at the parent since the child failed. */
function isUnseen({ lastCheckedAt, status }: ParentState, since: number): boolean {
  return status !== 'pending' && (lastCheckedAt === null || lastCheckedAt < since);
}

/** Whether the child may fail only because its parent just did. */
function isFreshlyUp(
  { recoveredAt }: ParentState,
  childCheckedAt: number | null,
  now: number,
): boolean {
  if (recoveredAt === null || now >= recoveredAt + CHILD_LOOK_MS) return false;
  return childCheckedAt === null || childCheckedAt <= recoveredAt;
}
