/** Mails to people become deliveries: each is the queue of one message, with the attempts and the lease that it has. */
export function oneOutbox(): string[] {
  // Names the mail in its queue until both are linked.
  const mark = `'mail ' || cast(mail.id as text)`;
  return [
    `insert into destination (kind, next_at, leased_until, claim, failures, last_error, created_at)
      select 'mail', next_at, leased_until, attempts, 0, ${mark}, created_at from mail order by id`,
    `insert into delivery (destination_id, message_id, kind, body, status, attempts, next_at, expires_at, created_at)
      select destination.id, mail.kind || '.' || mail.id || '.' || mail.created_at, mail.kind, mail.sealed, 'pending',
        mail.attempts, mail.next_at, mail.expires_at, mail.created_at
      from mail join destination on destination.kind = 'mail' and destination.last_error = ${mark} order by mail.id`,
    `update destination set last_error = null where kind = 'mail'`,
    `drop table mail`,
  ];
}
