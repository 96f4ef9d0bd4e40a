import type { Section } from '../../parts/kept.tsx';

/** Page of each list, in the order in which lists are shown, and whether each thing has a page below it. */
const PAGES: Record<Section, readonly [list: string, hasPages: boolean]> = {
  monitors: ['/monitors', true],
  groups: ['/groups', false],
  alert_channels: ['/channels', true],
  alert_routes: ['/alert-routes', false],
  webhook_endpoints: ['/webhooks', true],
  maintenance_windows: ['/maintenance', true],
  status_pages: ['/status-pages', true],
  reports: ['/reports', true],
  update_templates: ['/status-pages', false],
  walls: ['/walls', false],
};

export const SECTION_NAMES = Object.keys(PAGES) as Section[];

/** Page of a thing, or of its list. */
export function hrefOf(section: string, id: number | null): string {
  const [list, hasPages] = PAGES[section as Section];
  return hasPages && id !== null ? `${list}/${id}` : list;
}
