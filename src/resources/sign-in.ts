import { isSetupPending } from '../identity/setup-token.ts';
import type { SignInOffer } from '../identity/sign-in.ts';
import type { Database } from '../store/database/contract.ts';
import { noun } from './common/operation.ts';
import { z } from 'zod';

interface SignInOptionsDeps {
  database: Pick<Database, 'read'>;
  /** Ways to sign in beside password and passkey. */
  signInOffer: () => SignInOffer;
}

/** Lists the ways to sign in, for the page where people do. Says nothing about accounts. */
function createGetSignInOptions(deps: SignInOptionsDeps): () => Promise<object> {
  return async () => {
    const { providers, openSignup, canReset } = deps.signInOffer();
    return {
      providers,
      open_signup: openSignup,
      reset_by_mail: canReset,
      setup_pending: await isSetupPending(deps.database.read),
    };
  };
}

export const getSignInOptions = noun('Account', createGetSignInOptions, {
  getSignInOptions: {
    at: 'GET /sign-in',
    needs: 'nobody',
    summary: 'List the ways to sign in',
    description:
      'For the page where people sign in to the dashboard. Passwords and passkeys work everywhere. It says nothing about accounts.',
    answer: z
      .object({
        providers: z
          .array(z.object({ id: z.enum(['oidc', 'github', 'google']), name: z.string() }))
          .meta({ description: 'Identity providers that the operator configured.' }),
        open_signup: z
          .boolean()
          .meta({ description: 'Whether people may create an account without an invitation.' }),
        reset_by_mail: z
          .boolean()
          .meta({ description: 'Whether a link to choose a new password can be mailed.' }),
        setup_pending: z
          .boolean()
          .meta({ description: 'Whether the installation still has no owner who can sign in.' }),
      })
      .meta({ id: 'SignInOptions', description: 'Ways to sign in.' }),
    example: {
      answer: {
        providers: [{ id: 'github', name: 'GitHub' }],
        open_signup: false,
        reset_by_mail: true,
        setup_pending: false,
      },
    },
  },
});
