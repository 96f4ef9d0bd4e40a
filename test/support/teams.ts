import type { Mail, MailQueue } from '../../src/store/alerting/mails.ts';
import type { TestApi } from './api.ts';
import type { TestSession } from './people.ts';

/** The audit log of the installation, oldest first. */
export function auditOf(api: TestApi) {
  return api.database.read.selectFrom('audit_entry').selectAll().orderBy('id').execute();
}

/** The team that a session acts on, and the one in which its person's next session begins. */
export async function sessionTeam(
  api: TestApi,
  { sessionId }: TestSession,
): Promise<{ team_id: number | null; next: number | null }> {
  return api.database.read
    .selectFrom('session')
    .innerJoin('person', 'person.id', 'session.person_id')
    .select(['session.team_id', 'person.team_id as next'])
    .where('session.id', '=', sessionId)
    .executeTakeFirstOrThrow();
}

/** A mail queue as with SMTP_URL, which collects mails in `mails`. */
export function collectMail(): { mails: Mail[]; mailQueue: MailQueue } {
  const mails: Mail[] = [];
  return {
    mails,
    mailQueue: {
      isConfigured: true,
      enqueue: async (_tx, mail) => void mails.push(mail),
      enqueueForSubscribers: async (_tx, sent) => void mails.push(...sent),
      spend: async () => {},
    },
  };
}
