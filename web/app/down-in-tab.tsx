import { useEffect } from 'react';
import { displayStatusOf } from '../lib/display-status.ts';
import { useRead } from './api.ts';
import { useSession } from './session.ts';
import { iconWith, tabTitle } from './tab-title.ts';
import { writeTab } from './tab.ts';

/** Monitors that are down and looked at one by one; beyond them all count. */
const MAX_READ = 100;

let plainIcon: string | null = null;

/** Shows in the title and the icon of the tab how many monitors are down, whatever page is open. Once on a page, loaded late. */
export default function DownInTab(): null {
  const { team } = useSession();
  const { data } = useRead(
    'listMonitors',
    { query: { status: 'offline', per_page: MAX_READ } },
    { enabled: team !== null },
  );
  useEffect(() => {
    if (data === undefined) return;
    const { data: monitors, total } = data;
    show(total > MAX_READ ? total : monitors.filter(isDown).length);
  }, [data]);
  return null;
}

/** Paused ones and those in maintenance are not down for the list either. */
function isDown(monitor: Parameters<typeof displayStatusOf>[0]): boolean {
  return displayStatusOf(monitor) === 'offline';
}

function show(down: number): void {
  writeTab((page) => {
    document.title = tabTitle(page, down);
  });
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  if (link === null) return;
  plainIcon ??= link.href;
  const wanted = down === 0 ? plainIcon : iconWith(down);
  if (link.href !== wanted) link.href = wanted;
}
