import { createAuthenticator } from '../identity/authenticate.ts';
import { createOauth } from '../identity/oauth.ts';
import { createPasswordQueue, SCRYPT } from '../identity/password.ts';
import { signInSecrets } from '../identity/session-cookie.ts';
import { createSignIn } from '../identity/sign-in.ts';
import { createMailQueue } from '../store/alerting/mails.ts';
import { clock } from './clock.ts';
import type { Parts } from './resources.ts';

export type People = ReturnType<typeof createPeople>;

/** Identity stage: authentication, sign-in, and mails about accounts. */
export function createPeople({ settings, database, keys, secretBox, baseUrl, log }: Parts) {
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
    cookies: () => ({ secrets, isSecure: baseUrl().startsWith('https:') }),
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
