import { useEffect } from 'react';
import { displayStatusOf } from '../lib/display-status.ts';
import { useRead } from './api.ts';
import { useSession } from './session.ts';
import { iconWith, tabTitle } from './tab-title.ts';

/** The tab of the browser: title and icon say how many monitors are down, whatever page is open. */

/** Monitors that are down and looked at one by one; beyond them all count. */
const MAX_READ = 100;

let title = 'Tocsin';
let down = 0;
let plainIcon: string | null = null;

/** Sets the title of the page that is open. */
export function setTabTitle(next: string): void {
  title = next;
  show();
}

/** Shows in the tab how many monitors are down. Once on a page. */
export function useDownInTab(): void {
  const { team } = useSession();
  const { data } = useRead(
    'listMonitors',
    { query: { status: 'offline', per_page: MAX_READ } },
    { enabled: team !== null },
  );
  useEffect(() => {
    if (data === undefined) return;
    const { data: monitors, total } = data;
    down = total > MAX_READ ? total : monitors.filter(isDown).length;
    show();
  }, [data]);
}

/** Paused ones and those in maintenance are not down for the list either. */
function isDown(monitor: Parameters<typeof displayStatusOf>[0]): boolean {
  return displayStatusOf(monitor) === 'offline';
}

function show(): void {
  document.title = tabTitle(title, down);
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  if (link === null) return;
  plainIcon ??= link.href;
  const wanted = down === 0 ? plainIcon : iconWith(down);
  if (link.href !== wanted) link.href = wanted;
}
