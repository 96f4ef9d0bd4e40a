import { z } from 'zod';
import { STATES } from '../resources/announcements/input.ts';
import { time } from './common.ts';
import { fromTeam } from './target-text.ts';
import { finalTool, listTool, type Tool, type View } from './tool.ts';

/** What tools read of an update as the API answers it. */
interface UpdateAnswer {
  id: number;
  state: (typeof STATES)[number];
  text: string | null;
  status_pages: number[];
  user_id: number | null;
  edited_at: string | null;
  created_at: string;
}

const update = z.object({
  id: z.int(),
  state: z.enum(STATES),
  text: z.string().nullable().meta({
    description: 'Null for an automatic update, which pages word in their language.',
  }),
  status_pages_total: z.int().meta({ description: 'Number of status pages that show it.' }),
  status_pages: z.array(z.int()).meta({ description: 'Ids of status pages.' }),
  member_id: z.int().nullable().meta({ description: 'Author; null for an automatic one.' }),
  edited_at: time.nullable(),
  created_at: time,
});

const INCIDENT_PATH = {
  id: { argument: 'incident_id', description: 'Id of the incident, from list_incidents.' },
};

export const INCIDENT_UPDATE_TOOLS: readonly Tool[] = [
  listTool({
    name: 'list_incident_updates',
    operation: 'listIncidentUpdates',
    description:
      'Lists what visitors of status pages can read about an incident, newest first. Empty for one that no page shows.',
    path: INCIDENT_PATH,
    items: 'updates',
    item: update,
    viewItem: viewUpdate,
  }),
  finalTool({
    name: 'add_incident_update',
    operation: 'createIncidentUpdate',
    isOpenWorld: true,
    description:
      'Publishes an update about an incident: visitors of the status pages read it at once, and subscribers are notified unless notify is false. A person approves the text first. state is investigating, identified, monitoring or resolved; resolved ends the announcement and not the incident (resolve_incident does).',
    path: INCIDENT_PATH,
    hiddenFields: ['template_id'],
    required: ['state', 'text'],
    shows: 'get_incident',
    effect: 'publish this update to visitors and subscribers of the status pages',
    done: viewUpdate,
  }),
];

function viewUpdate(answer: UpdateAnswer, { textLimit, itemLimit }: View): z.input<typeof update> {
  return {
    id: answer.id,
    state: answer.state,
    text: fromTeam(answer.text, textLimit),
    status_pages_total: answer.status_pages.length,
    status_pages: answer.status_pages.slice(0, itemLimit),
    member_id: answer.user_id,
    edited_at: answer.edited_at,
    created_at: answer.created_at,
  };
}
