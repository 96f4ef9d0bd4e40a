import { noun } from '../common/operation.ts';
import { createInvitationService } from './service.ts';
import { createInvitationAcceptance } from './accept.ts';
import { z } from 'zod';
import { acceptInput, previewQuery } from './accept.ts';
import { invitationChange, invitationInput } from './service.ts';
import { GIVEN_ROLES } from '../users/service.ts';
import { time } from '../common/reference-schemas.ts';
import { team } from '../teams/reference.ts';
import { ed, user } from '../users/reference.ts';

const shape = {
  id: z.int(),
  email: z.string().meta({ description: 'Lower case.' }),
  role: z.enum(GIVEN_ROLES),
  created_at: time,
  expires_at: time.meta({
    description: 'End of validity of the link, 7 days after it was sent; it can be sent again.',
  }),
};

const invitation = z
  .object(shape)
  .meta({ id: 'Invitation', description: 'Pending invitation to the team.' });

const sentInvitation = z
  .object({
    ...shape,
    url: z.string().optional().meta({
      description:
        'Link for you to pass on; only when no mail server is configured. Otherwise the link is mailed.',
    }),
  })
  .meta({ id: 'SentInvitation', description: 'Invitation with a new link.' });

const zoe = {
  id: 1,
  email: 'zoe@example.com',
  role: 'editor',
  created_at: '2030-01-01T00:00:00.000Z',
  expires_at: '2030-01-08T00:00:00.000Z',
};

/** Token of the invitation in the tests of examples. */
export const EXAMPLE_LINK_TOKEN = 'm9QwErTyUiOpAsDfGhJkLzXcVbNm012';

export const invitations = noun('Users', createInvitationService, {
  listInvitations: {
    at: 'GET /users/invitations',
    summary: 'List invitations',
    description: 'Pending and expired invitations, newest first.',
    answer: z
      .object({ total: z.int(), data: z.array(invitation) })
      .meta({ id: 'InvitationList', description: 'The invitations of the team.' }),
    example: { answer: { total: 1, data: [zoe] } },
  },
  createInvitation: {
    at: 'POST /users/invitations',
    role: 'admin',
    summary: 'Invite somebody',
    description:
      'Mails a link that is valid for 7 days; without a mail server, the response contains it. An address can have one pending invitation to a team: send that one again instead. An expired one is replaced. For admins.',
    body: invitationInput,
    answer: sentInvitation,
    example: {
      body: { email: 'mia@example.com', role: 'editor' },
      answer: { ...zoe, id: 2, email: 'mia@example.com' },
    },
  },
  updateInvitation: {
    at: 'PUT /users/invitations/:id',
    role: 'admin',
    summary: 'Change the role of an invitation',
    description: 'Changes the role that the new member gets. For admins.',
    body: invitationChange,
    answer: invitation,
    example: { body: { role: 'viewer' }, answer: { ...zoe, role: 'viewer' } },
  },
  deleteInvitation: {
    at: 'DELETE /users/invitations/:id',
    role: 'admin',
    summary: 'Withdraw an invitation',
    description: 'The link stops working. For admins.',
  },
  resendInvitation: {
    at: 'POST /users/invitations/:id/resend',
    needs: 'update',
    role: 'admin',
    summary: 'Send an invitation again',
    description:
      'Sends a new link, valid for another 7 days; the former one stops working. For admins.',
    answer: sentInvitation,
    example: { answer: zoe },
  },
});

export const invitationAcceptance = noun('Users', createInvitationAcceptance, {
  acceptInvitation: {
    at: 'POST /invitations/accept',
    needs: 'nobody',
    status: 201,
    summary: 'Accept an invitation',
    description:
      'Joins the team by the token of the link. A new person gets an account with the given name and password. A person with an account must be signed in, unless the link was mailed to their confirmed address. The response is 404 for an unknown link, 422 for one that has expired or was used, and 403 when another person is signed in. A token needs the permission `create`.',
    body: acceptInput,
    answer: z.object({ user, team }).meta({
      id: 'AcceptedInvitation',
      description: 'New member and their team.',
    }),
    example: {
      body: { token: EXAMPLE_LINK_TOKEN, name: 'Zoe', password: 'correct horse battery' },
      answer: {
        user: { ...ed, id: 5, name: 'Zoe', email: 'zoe@example.com' },
        team: {
          id: 1,
          name: 'My team',
          slug: 'my-team',
          role: 'editor',
          personal_team: true,
          is_current: false,
        },
      },
    },
    refusals: ['not_found'],
  },
  previewInvitation: {
    at: 'GET /invitations/preview',
    needs: 'nobody',
    summary: 'Preview an invitation',
    description: 'For the page behind the link.',
    query: previewQuery,
    answer: z
      .object({
        team: z.string().meta({ description: 'Name of the team.' }),
        inviter: z.string().nullable().meta({ description: 'Name of the person who sent it.' }),
        email: z.string(),
        role: z.enum(GIVEN_ROLES),
        expires_at: time,
        has_account: z.boolean().meta({
          description: 'True when the address has an account; otherwise a password is required.',
        }),
      })
      .meta({ id: 'InvitationPreview', description: 'Invitation as its link shows it.' }),
    example: {
      query: `token=${EXAMPLE_LINK_TOKEN}`,
      answer: {
        team: 'My team',
        inviter: 'Alice',
        email: zoe.email,
        role: zoe.role,
        expires_at: zoe.expires_at,
        has_account: false,
      },
    },
    refusals: ['not_found'],
  },
});
