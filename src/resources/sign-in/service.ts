import { isSetupPending } from '../../identity/setup-token.ts';
import type { SignInOffer } from '../../identity/sign-in.ts';
import type { Database } from '../../store/database/contract.ts';

export interface SignInOptionsDeps {
  database: Pick<Database, 'read'>;
  /** Ways to sign in beside password and passkey. */
  signInOffer: () => SignInOffer;
}

/** Lists the ways to sign in, for the page where people do. Says nothing about accounts. */
export function createGetSignInOptions(deps: SignInOptionsDeps): () => Promise<object> {
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
