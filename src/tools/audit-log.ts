import { isExactNumber } from '../lib/exact-json.ts';
import { NOUNS } from '../resources/nouns.ts';
import { plainName } from './common.ts';
import { as, cutMade, detailed, itemsOf, made, shown, team } from './shown.ts';
import { fromTeam } from './target-text.ts';
import { listTool, type Tool } from './tool.ts';

type Fields = Readonly<Record<string, unknown>> | null;

/** Fields whose texts are shown: words and names. Those of others can be secrets, such as an address with its query. */
const SHOWN_TEXTS = new Set(
  'name friendly_name title role status severity http_method type'.split(' '),
);
const NAME_LENGTH = 80;

/** A value that can be no secret; undefined for any other. */
function shownValue(field: string, value: unknown): unknown {
  if (typeof value === 'string')
    return SHOWN_TEXTS.has(field) ? fromTeam(value, NAME_LENGTH) : undefined;
  return typeof value !== 'object' || value === null || isExactNumber(value) ? value : undefined;
}

/** Name of what was changed. The address of a person, who may be invited only, is shown with detail. */
function shownTarget(name: string, detail: boolean): string {
  const who = name.replace(/ <[^<>]*>$/, '');
  return plainName(detail ? who : who.replace(/^[^\s@]+(?=@[^\s@/]+$)/, '…'));
}

type Changed = { before: Fields; after: Fields };
/** Fields that changed; of a thing that is new or gone with detail alone. */
const changes = cutMade(({ before, after }: Changed, { detail }) =>
  (before === null || after === null) && !detail
    ? []
    : Object.keys({ ...before, ...after }).map((field) => ({
        field,
        before: shownValue(field, before?.[field]),
        after: shownValue(field, after?.[field]),
      })),
);

const entry = shown(itemsOf(NOUNS.auditLog.operations.listAuditLog.answer), {
  created_at: true,
  action: true,
  // The name is followed by the address.
  actor: made(({ actor }) => fromTeam(actor.name.replace(/ <[^<>]*>$/, ''), NAME_LENGTH)),
  via: true,
  token: team(NAME_LENGTH, { from: 'token_name', ifAny: true }),
  target_id: as('target.id'),
  target: made(({ target: { name } }, { detail }) => name && shownTarget(name, detail)),
  changes,
  ...detailed({ id: true, ip_address: true }),
});

export const AUDIT_LOG_TOOLS: readonly Tool[] = [
  listTool({
    name: 'list_audit_log',
    description:
      'Who changed what, newest first: action is such as monitor.updated, changes name its fields. For admins.',
    hiddenQuery: ['format', 'direction'],
    hasDetail: true,
    items: 'entries',
    item: entry,
  }),
];
