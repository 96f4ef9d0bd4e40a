/** Kinds of things whose changes the audit log records. */
export const AUDIT_TARGETS = [
  'monitor',
  'group',
  'incident',
  'team',
  'member',
  'invitation',
  'token',
  'session',
  'person',
  'webhook_endpoint',
  'maintenance_window',
  'alert_channel',
  'notification_channel',
  'alert_route',
  'status_page',
  'announcement',
  'update_template',
  'subscriber',
  'report',
  'correction',
  'slo',
  'application',
] as const;

/** Ways in which a change can be made. */
export const AUDIT_VIAS = ['token', 'session', 'tool_server', 'operator', 'link'] as const;

/** Object of a change, with its name at that time. */
export interface AuditTarget {
  type: (typeof AUDIT_TARGETS)[number];
  id: number | null;
  name: string | null;
}

/** Author of a change. */
export interface AuditActor {
  /** Null for the operator, and for the link of a channel of a team. */
  personId: number | null;
  /** Name and e-mail address of a person. */
  name: string;
  via: (typeof AUDIT_VIAS)[number];
  /** Name of the API token. */
  credentialName?: string | null;
  /** Client address. */
  address?: string | null;
}

/** Change to record in the audit log. */
export interface AuditEntry {
  actor: AuditActor;
  /** Team whose log shows the entry; null for a change that concerns a person alone. */
  teamId: number | null;
  /** `created`, `updated`, `deleted`, or a verb of the target's own such as `paused`. */
  verb: string;
  target: AuditTarget;
  /** Fields before and after the change, as the API shows them and without secrets. */
  before?: object | null;
  after?: object | null;
}

export const OPERATOR: AuditActor = { personId: null, name: 'operator', via: 'operator' };

export function personActor(
  { id, name, email }: { id: number; name: string; email: string },
  via: AuditActor['via'],
  address: string | null = null,
): AuditActor {
  return { personId: id, name: `${name} <${email}>`, via, address };
}

export function auditTarget(
  type: AuditTarget['type'],
  { id, name }: Pick<AuditTarget, 'id' | 'name'>,
): AuditTarget {
  return { type, id, name };
}
