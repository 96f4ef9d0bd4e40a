import type { Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import { createAuthenticator } from '../identity/authenticate.ts';
import type { Authenticator } from '../identity/authenticate.ts';
import { createMailQueue } from '../identity/mail-queue.ts';
import type { MailQueue } from '../identity/mail-queue.ts';
import { createMailWorker } from '../identity/mail-worker.ts';
import type { MailWorker } from '../identity/mail-worker.ts';
import { signInSecrets } from '../identity/session-cookie.ts';
import { createSignIn } from '../identity/sign-in.ts';
import { systemClock as clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { createMailer } from '../net/mail.ts';
import { exposeMails } from './metrics.ts';
import type { Resources } from './resources.ts';

/** What knows people: who calls, how they sign in, and the mails about their accounts. */
export interface People {
  authenticator: Authenticator;
  signIn: ReturnType<typeof createSignIn>;
  mailQueue: MailQueue;
  /** Null without SMTP_URL. */
  mailWorker: MailWorker | null;
}

export interface PeopleParts extends Pick<Resources, 'database' | 'keys' | 'secretBox'> {
  baseUrl: () => string;
  registry: Registry;
  log: Log;
}

export function createPeople(settings: Config, parts: PeopleParts): People {
  const { database, keys, baseUrl, log } = parts;
  const secrets = signInSecrets(keys);
  const { mailQueue, mailWorker } = createMails(settings, parts);
  const authenticator = createAuthenticator({
    database,
    clock,
    log,
    cookies: () => ({
      secret: secrets[0]!.value,
      isSecure: baseUrl().startsWith('https:'),
    }),
  });
  const signIn = createSignIn({
    database,
    clock,
    log,
    authenticator,
    mailQueue,
    settings,
    secrets,
    baseUrl,
  });
  return { authenticator, signIn, mailQueue, mailWorker };
}

/** Without SMTP_URL there is a queue that takes nothing, and nobody who sends. */
function createMails(
  settings: Config,
  { database, secretBox, baseUrl, registry, log }: PeopleParts,
): Pick<People, 'mailQueue' | 'mailWorker'> {
  const { smtpUrl, mailFrom: from } = settings;
  const mailQueue = createMailQueue({ secretBox, isConfigured: smtpUrl !== null });
  if (smtpUrl === null) return { mailQueue, mailWorker: null };
  const mailer = createMailer({ smtpUrl, from, baseUrl, clock });
  const mailWorker = createMailWorker({ database, secretBox, mailer, clock, log });
  exposeMails(registry, mailWorker);
  return { mailQueue, mailWorker };
}
