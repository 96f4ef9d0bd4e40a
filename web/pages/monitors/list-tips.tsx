import type { RefObject } from 'react';
import type { MonitorOverview } from '../../app/api.gen.ts';
import { useSession } from '../../app/session.ts';
import type { Slot } from '../../lib/bar.ts';
import { clock } from '../../lib/format.ts';
import { partAt, useTip } from '../../parts/tip.tsx';
import { words } from '../../words/index.ts';

/** Texts above the pointer in the list: half an hour of a bar, or the squares of the places. */
export default function ListTips(props: {
  list: RefObject<HTMLElement | null>;
  overview: Pick<MonitorOverview, 'bar_starts_at' | 'slot_minutes'>;
}): null {
  const { bar_starts_at: start, slot_minutes: minutes } = props.overview;
  const { zone } = useSession();
  useTip(props.list, (target, event) => {
    const squares = target.closest('.regs [role=img]');
    if (squares !== null) return squares.ariaLabel;
    const bar = target.closest<SVGElement>('.b24 .bar');
    const slots = bar?.dataset['slots'];
    if (bar === null || slots === undefined) return null;
    const index = partAt(bar, event, slots.length);
    const begin = Date.parse(start) + index * minutes * 60_000;
    const times = `${clock(begin, zone)} – ${clock(begin + minutes * 60_000, zone)}`;
    return `${times} · ${slotWord(slots[index] as Slot)}`;
  });
  return null;
}

/** What a slot of a bar says. */
function slotWord(slot: Slot): string {
  return slot === '-' ? words.status.pending : words.status[SLOT_STATUS[slot]];
}

const SLOT_STATUS = {
  u: 'online',
  w: 'degraded',
  d: 'offline',
  m: 'maintenance',
  p: 'paused',
  '?': 'unknown',
} as const;
