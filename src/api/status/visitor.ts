import type { IncomingMessage } from 'node:http';
import type { Authenticator } from '../../identity/authenticate.ts';
import type { Visitor } from '../../status-page/access.ts';

/** The sender of a request as a visitor of pages. */
export function visitorOf(
  { headers }: Pick<IncomingMessage, 'headers'>,
  address: string,
  authenticator: Pick<Authenticator, 'authenticate'>,
): Visitor {
  const { authorization, cookie } = headers;
  return {
    address,
    cookie,
    async signedIn() {
      const principal = await authenticator.authenticate({ authorization, cookie, address });
      if (principal === null) return null;
      const isSession = principal.credential.kind === 'session';
      return {
        personId: isSession ? principal.person.id : null,
        teamId: principal.team?.id ?? null,
      };
    },
  };
}
