export const WRITTEN = ['created', 'updated', 'deleted'] as const;

/** What is done with things that are no list of a team: those say it in their declaration (resources/common/collection.ts). */
export const AUDIT_VERBS = {
  monitor: [
    ...WRITTEN,
    'paused',
    'resumed',
    'ping_url_rotated',
    'ping_alias_added',
    'ping_alias_removed',
    'days_imported',
  ],
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
  notification_channel: WRITTEN,
  announcement: [...WRITTEN, 'update_added', 'update_edited', 'update_deleted'],
  subscriber: ['created', 'deleted'],
  correction: ['created', 'deleted'],
  slo: WRITTEN,
  application: ['connected', 'disconnected'],
  configuration_set: ['applied', 'deleted'],
} as const;

export const AUDIT_VIAS = ['token', 'session', 'tool_server', 'operator', 'link'] as const;

export interface AuditTarget {
  /** Kind of the thing, such as `monitor`. */
  type: string;
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
  /** One of those of the target's kind. */
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
  type: keyof typeof AUDIT_VERBS,
  { id, name }: Pick<AuditTarget, 'id' | 'name'>,
): AuditTarget {
  return { type, id, name };
}
