import type { Principal } from '../identity/caller.ts';
import { Problem } from '../resources/common/errors.ts';
import { fromTeam } from './target-text.ts';
import type { Toolbox } from './toolbox.ts';

/** Things that a person adds to a conversation in their client: the same content as a tool answers with detail. */
interface ResourceKind {
  name: string;
  title: string;
  description: string;
  uriTemplate: string;
  /** Tool that shows it, and its argument for the id in the address. */
  tool: string;
  argument: string;
}

const KINDS: readonly ResourceKind[] = [
  {
    name: 'monitor',
    title: 'Monitor',
    description: 'A monitor with its settings and status, as get_monitor shows it with detail.',
    uriTemplate: 'tocsin://monitors/{id}',
    tool: 'get_monitor',
    argument: 'monitor_id',
  },
  {
    name: 'incident',
    title: 'Incident',
    description: 'An incident with its evidence, as get_incident shows it with detail.',
    uriTemplate: 'tocsin://incidents/{id}',
    tool: 'get_incident',
    argument: 'incident_id',
  },
];

const MIME_TYPE = 'text/plain';
/** Open incidents that are listed. */
const MAX_LISTED = 20;

/** Kinds of things that can be read by their address. */
export const RESOURCE_TEMPLATES = KINDS.map(({ name, title, description, uriTemplate }) => ({
  name,
  title,
  description,
  uriTemplate,
  mimeType: MIME_TYPE,
}));

export interface Resource {
  uri: string;
  name: string;
  title: string;
  mimeType: string;
}

/** Reads a resource. Throws a Problem, as the tool that shows it does; `not_found` for an address that is none of ours. */
export async function readResource(
  toolbox: Pick<Toolbox, 'call'>,
  principal: Principal,
  uri: string,
): Promise<{ uri: string; mimeType: string; text: string }> {
  for (const { uriTemplate, tool, argument } of KINDS) {
    const id = idIn(uri, uriTemplate);
    if (id === null) continue;
    const args = { [argument]: id, detail: true };
    const outcome = await toolbox.call(principal, { name: tool, args });
    if (outcome.kind === 'answer') return { uri, mimeType: MIME_TYPE, text: outcome.answer.text };
  }
  const known = KINDS.map(({ uriTemplate }) => uriTemplate).join(' and ');
  throw new Problem('not_found', `There is no resource at this address: use ${known}.`);
}

/** Open incidents that the caller may see, newest first; none for callers who may not list them. */
export async function listResources(
  toolbox: Pick<Toolbox, 'call' | 'toolsFor'>,
  principal: Principal,
): Promise<Resource[]> {
  const mayList = toolbox.toolsFor(principal).some(({ name }) => name === 'list_incidents');
  if (!mayList) return [];
  const args = { status: 'open', limit: MAX_LISTED };
  const outcome = await toolbox.call(principal, { name: 'list_incidents', args });
  if (outcome.kind !== 'answer') return [];
  const { incidents } = outcome.answer.content as { incidents: ListedIncident[] };
  return incidents.map(({ id, monitor, type }) => ({
    uri: `tocsin://incidents/${id}`,
    name: `incident-${id}`,
    title: fromTeam(`${monitor}: ${type} (incident ${id})`, 120),
    mimeType: MIME_TYPE,
  }));
}

/** What is read of list_incidents. */
interface ListedIncident {
  id: number;
  monitor: string;
  type: string;
}

/** Id in an address; null for an address that the template does not have. */
function idIn(uri: string, template: string): string | null {
  const begin = template.slice(0, template.indexOf('{'));
  const rest = uri.startsWith(begin) ? uri.slice(begin.length) : '';
  return /^[1-9]\d{0,15}$/.test(rest) ? rest : null;
}
