/** The mails that a subscriber got in the current hour. Times are epoch milliseconds. */
export interface MailHour {
  mails: number;
  /** End of the hour; null before the first mail. */
  mailsUntil: number | null;
  /** When one mail lists the updates that were held back; null for none. */
  digestAt: number | null;
}

/** Maximum number of mails about updates per subscriber and hour, which begins with the first: an unstable service must not flood people. */
export const MAILS_PER_HOUR = 10;

const HOUR_MS = 3_600_000;

/** `last` is a mail that also says that the next updates are held back until the hour is over. */
export type MailDecision = 'send' | 'last' | 'hold';

/** Decides on a mail about an update. */
export function countMail(hour: MailHour, now: number): { decision: MailDecision; hour: MailHour } {
  const { mails, mailsUntil, digestAt } = hour;
  if (!isRunning(mailsUntil, now))
    return { decision: 'send', hour: { mails: 1, mailsUntil: now + HOUR_MS, digestAt } };
  if (mails >= MAILS_PER_HOUR)
    return { decision: 'hold', hour: { ...hour, digestAt: digestAt ?? mailsUntil } };
  const decision = mails + 1 === MAILS_PER_HOUR ? 'last' : 'send';
  return { decision, hour: { ...hour, mails: mails + 1 } };
}

/** The hour after a mail about held updates: it counts in the hour that runs, and begins one when none does. */
export function countDigest(
  { mails, mailsUntil }: Pick<MailHour, 'mails' | 'mailsUntil'>,
  now: number,
): MailHour {
  return isRunning(mailsUntil, now)
    ? { mails: mails + 1, mailsUntil, digestAt: null }
    : { mails: 1, mailsUntil: now + HOUR_MS, digestAt: null };
}

/** An hour that ends far ahead began before the clock was set back: it is over. */
function isRunning(mailsUntil: number | null, now: number): mailsUntil is number {
  return mailsUntil !== null && mailsUntil > now && mailsUntil <= now + HOUR_MS;
}
