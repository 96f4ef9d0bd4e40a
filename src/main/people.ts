import type { Config } from '../config/config.ts';
import { createAuthenticator } from '../identity/authenticate.ts';
import type { Authenticator } from '../identity/authenticate.ts';
import { signInSecrets } from '../identity/session-cookie.ts';
import { SCRYPT } from '../identity/password.ts';
import { createPasswordQueue, type PasswordQueue } from '../identity/password-queue.ts';
import { createOauth, type Oauth } from '../identity/oauth.ts';
import { createSignIn } from '../identity/sign-in.ts';
import { clock } from './clock.ts';
import type { Log } from '../lib/log.ts';
import { createMailQueue } from '../store/alerting/mails.ts';
import type { MailQueue } from '../store/alerting/mails.ts';
import type { Resources } from './resources.ts';

/** Identity stage: authentication, sign-in, and mails about accounts. */
export interface People {
  authenticator: Authenticator;
  signIn: ReturnType<typeof createSignIn>;
  oauth: Oauth;
  mailQueue: MailQueue;
  passwords: PasswordQueue;
}

export interface PeopleParts extends Pick<Resources, 'database' | 'keys' | 'secretBox'> {
  baseUrl: () => string;
  log: Log;
}

export function createPeople(settings: Config, parts: PeopleParts): People {
  const { database, keys, secretBox, baseUrl, log } = parts;
  const secrets = signInSecrets(keys);
  const { openSignup, smtpUrl } = settings;
  const mailQueue = createMailQueue({
    secretBox,
    keys,
    isConfigured: smtpUrl !== null,
    openSignup,
  });
  const authenticator = createAuthenticator({
    database,
    clock,
    log,
    cookies: () => ({
      secrets,
      isSecure: baseUrl().startsWith('https:'),
    }),
  });
  const passwords = createPasswordQueue(SCRYPT);
  const signInDeps = {
    database,
    clock,
    log,
    authenticator,
    mailQueue,
    settings,
    passwords,
    secrets,
    baseUrl,
  };
  const signIn = createSignIn(signInDeps);
  const oauth = createOauth(signInDeps);
  return { authenticator, signIn, oauth, mailQueue, passwords };
}
