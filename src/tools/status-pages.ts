import { z } from 'zod';
import { MONITOR_STATUSES, type MonitorStatus } from '../model/monitor.ts';
import { accessOutput } from '../resources/status-pages/access.ts';
import { counted, nameOf, time } from './common.ts';
import { fromTarget, fromTeam, targetText } from './target-text.ts';
import { listTool, viewTool, type Tool, type View } from './tool.ts';

const accessType = accessOutput.shape.type;

/** What tools read of a status page as the API answers it. */
interface PageAnswer {
  id: number;
  name: string;
  url: string;
  description: string | null;
  custom_domain: string | null;
  domain_verified: boolean;
  domain: { last_error: string | null } | null;
  language: string;
  timezone: string;
  access: { type: z.output<typeof accessType> };
  services: ServiceAnswer[];
  groups: { name: string; monitors: number[] }[];
  warnings: string[];
  updated_at: string;
}

interface ServiceAnswer {
  monitor_id: number;
  label: string | null;
  monitor_url: string;
  monitor_status: MonitorStatus;
}

const page = z.object({
  id: z.int(),
  name: z.string(),
  url: z.string().meta({ description: 'Public address.' }),
  access: accessType.meta({ description: 'Who can see it.' }),
  services_total: z.int().meta({ description: 'Monitors that it shows.' }),
  services_not_online: z.int().meta({ description: 'Those whose status is not online.' }),
  warnings: z.array(z.string()).meta({ description: 'Probable mistakes.' }),
  custom_domain: z.string().nullable().optional(),
  domain_verified: z.boolean().optional(),
  description: z.string().nullable().optional(),
  language: z.string().optional(),
  timezone: z.string().optional(),
  updated_at: time.optional(),
});

const service = z.object({
  monitor_id: z.int(),
  name: z.string().meta({ description: 'Label on the page, else the address of the monitor.' }),
  status: z.enum(MONITOR_STATUSES),
  group: z.string().nullable(),
});

const pageDetail = page.extend({
  services: z.array(service).meta({ description: 'Those that are not online first.' }),
  domain_error: targetText.nullable().optional().meta({
    description: 'Why the last verification of the custom domain failed.',
  }),
});

export const STATUS_PAGE_TOOLS: readonly Tool[] = [
  listTool({
    name: 'list_status_pages',
    operation: 'listStatusPages',
    description:
      'Lists status pages with their public addresses, and how many of their services are not online.',
    hiddenQuery: ['sort', 'direction'],
    hasDetail: true,
    items: 'status_pages',
    item: page,
    viewItem: viewPage,
  }),
  viewTool({
    name: 'get_status_page',
    operation: 'getStatusPage',
    description:
      'Shows one status page: its public address, and its services with their status. What visitors read about an incident has list_incident_updates.',
    path: {
      id: { argument: 'status_page_id', description: 'Id of the page, from list_status_pages.' },
    },
    hasDetail: true,
    output: pageDetail,
    view: (answer: PageAnswer, view) => ({
      ...viewPage(answer, view),
      services: viewServices(answer, view),
      ...(view.detail && {
        domain_error: fromTarget(answer.domain?.last_error ?? null, view.textLimit),
      }),
    }),
    summary: ({ id, name, url, services_total: total, services_not_online: failing }) =>
      `Status page ${id}, ${name}, is at ${url}. It shows ${counted(total, 'service')}, ${failing} of them not online.`,
  }),
];

function viewPage(answer: PageAnswer, { detail }: View): z.input<typeof page> {
  return {
    id: answer.id,
    name: fromTeam(answer.name, 100),
    url: answer.url,
    access: answer.access.type,
    services_total: answer.services.length,
    services_not_online: answer.services.filter(isNotOnline).length,
    warnings: answer.warnings.map((text) => fromTeam(text, 400)),
    ...(detail && {
      custom_domain: answer.custom_domain,
      domain_verified: answer.domain_verified,
      description: fromTeam(answer.description, 500),
      language: answer.language,
      timezone: answer.timezone,
      updated_at: answer.updated_at,
    }),
  };
}

function viewServices({ services, groups }: PageAnswer, { itemLimit }: View) {
  const groupOf = new Map(
    groups.flatMap(({ name, monitors }) => monitors.map((id) => [id, fromTeam(name, 100)])),
  );
  const failing = services.filter(isNotOnline);
  const others = services.filter((one) => !isNotOnline(one));
  return [...failing, ...others].slice(0, itemLimit).map((one): z.input<typeof service> => ({
    monitor_id: one.monitor_id,
    name: nameOf({ friendly_name: one.label, url: one.monitor_url }),
    status: one.monitor_status,
    group: groupOf.get(one.monitor_id) ?? null,
  }));
}

function isNotOnline({ monitor_status: status }: ServiceAnswer): boolean {
  return status !== 'online';
}
