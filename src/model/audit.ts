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

const WRITTEN = ['created', 'updated', 'deleted'] as const;

export const AUDIT_VERBS = {
  monitor: [...WRITTEN, 'paused', 'resumed', 'ping_url_rotated'],
  group: WRITTEN,
  incident: [...WRITTEN, 'acknowledged', 'resolved', 'reopened', 'noted'],
  team: [...WRITTEN, 'transferred'],
  member: ['joined', 'updated', 'left', 'deleted'],
  invitation: [...WRITTEN, 'resent'],
  token: ['created', 'deleted'],
  session: ['created', 'deleted'],
  person: [
    'created',
    'updated',
    'set_up',
    'setup_link_issued',
    'address_verified',
    'email_changed',
    'password_changed',
    'password_reset',
    'password_reset_issued',
    'reset_link_created',
    'mfa_enabled',
    'mfa_disabled',
    'recovery_codes_renewed',
    'passkey_added',
    'passkey_removed',
    'provider_linked',
    'provider_unlinked',
  ],
  webhook_endpoint: [...WRITTEN, 'secret_rotated', 'tested', 'redelivered'],
  maintenance_window: [...WRITTEN, 'started', 'ended'],
  alert_channel: WRITTEN,
  notification_channel: WRITTEN,
  alert_route: WRITTEN,
  status_page: [...WRITTEN, 'domain_checked', 'subscribers_imported'],
  announcement: [...WRITTEN, 'update_added', 'update_edited', 'update_deleted'],
  update_template: WRITTEN,
  subscriber: ['created', 'deleted'],
  report: [...WRITTEN, 'run_started', 'unsubscribed'],
  correction: ['created', 'deleted'],
  slo: WRITTEN,
  application: ['connected', 'disconnected'],
} as const satisfies Record<(typeof AUDIT_TARGETS)[number], readonly string[]>;

/** Actions that the audit log records, such as `monitor.paused`. */
export const AUDIT_ACTIONS = Object.entries(AUDIT_VERBS).flatMap(([type, verbs]) =>
  verbs.map((verb) => `${type}.${verb}`),
);

export const AUDIT_VIAS = ['token', 'session', 'tool_server', 'operator', 'link'] as const;

export interface AuditTarget {
  type: (typeof AUDIT_TARGETS)[number];
  id: number | null;
  name: string | null;
}

export interface AuditActor {
  /** Null for the operator, and for the link of a channel of a team. */
  personId: number | null;
  /** Name and e-mail address of a person. */
  name: string;
  via: (typeof AUDIT_VIAS)[number];
  credentialName?: string | null;
  address?: string | null;
}

export interface AuditEntry {
  actor: AuditActor;
  /** Team whose log shows the entry; null for a change that concerns a person alone. */
  teamId: number | null;
  /** One of `AUDIT_VERBS` of the target. */
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
