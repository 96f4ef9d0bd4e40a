import type { z } from 'zod';
import { statusPages } from '../resources/status-pages/status-pages.ts';
import { counted, nameOf } from './common.ts';
import { as, count, detailed, list, made, shown, target, team, type View } from './shown.ts';
import { fromTeam } from './target-text.ts';
import { byId, listTool, viewTool, type Tool } from './tool.ts';

const { answer } = statusPages;

type PageAnswer = z.output<typeof answer>;

const page = shown(answer, {
  id: true,
  name: team(100),
  url: true,
  access: as('access.type'),
  services_total: count('services'),
  services_not_online: made(({ services }: PageAnswer) => services.filter(isNotOnline).length),
  warnings: list(team(400), { most: () => Infinity }),
  ...detailed({
    custom_domain: true,
    domain_verified: true,
    description: team(500),
    language: true,
    timezone: true,
    updated_at: true,
  }),
});

const pageDetail = shown(answer, {
  ...page.fields,
  services: made(viewServices),
  ...detailed({
    domain_error: target({
      from: 'domain.last_error',
    }),
  }),
});

export const STATUS_PAGE_TOOLS: readonly Tool[] = [
  listTool({
    name: 'list_status_pages',
    hiddenQuery: ['sort', 'direction'],
    hasDetail: true,
    item: page,
  }),
  viewTool({
    name: 'get_status_page',
    description: 'Shows a status page: its public address, and its services with their status.',
    path: byId('status_page_id'),
    hasDetail: true,
    content: pageDetail,
    summary: ({ id, name, url, services_total: total, services_not_online: failing }) =>
      `Status page ${id}, ${name}, is at ${url}. It shows ${counted(total, 'service')}, ${failing} of them not online.`,
  }),
];

function viewServices({ services, groups }: PageAnswer, { itemLimit }: View) {
  const groupOf = new Map(
    groups.flatMap(({ name, monitors }) => monitors.map((id) => [id, fromTeam(name, 100)])),
  );
  const failing = services.filter(isNotOnline);
  const others = services.filter((one) => !isNotOnline(one));
  return [...failing, ...others].slice(0, itemLimit).map((one) => ({
    monitor_id: one.monitor_id,
    // The address of the monitor where the page has no label.
    name: nameOf({ friendly_name: one.label, url: one.monitor_url }),
    status: one.monitor_status,
    group: groupOf.get(one.monitor_id) ?? null,
  }));
}

function isNotOnline({ monitor_status: status }: PageAnswer['services'][number]): boolean {
  return status !== 'online';
}
