import { noun } from '../common/operation.ts';
import { createGetSignInOptions } from './service.ts';
import { z } from 'zod';

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
