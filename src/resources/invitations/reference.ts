import { z } from 'zod';
import { acceptInput, previewQuery } from './accept.ts';
import { invitationChange, invitationInput } from './service.ts';
import { GIVEN_ROLES } from '../users/service.ts';
import { operations } from '../common/operation.ts';
import { team } from '../teams/reference.ts';
import { ed, user } from '../users/reference.ts';

const shape = {
  id: z.int(),
  email: z.string().meta({ description: 'In lower case.' }),
  role: z.enum(GIVEN_ROLES),
  created_at: z.iso.datetime(),
  expires_at: z.iso
    .datetime()
    .meta({ description: 'The link works for 7 days; then it can be sent again.' }),
};

const invitation = z
  .object(shape)
  .meta({ id: 'Invitation', description: 'Somebody who was asked into the team.' });

const sentInvitation = z
  .object({
    ...shape,
    url: z.string().optional().meta({
      description:
        'The link, to be handed over by you: only where no mail is configured. Otherwise only the mail holds it.',
    }),
  })
  .meta({ id: 'SentInvitation', description: 'An invitation that has just been sent.' });

const zoe = {
  id: 1,
  email: 'zoe@example.com',
  role: 'editor',
  created_at: '2030-01-01T00:00:00.000Z',
  expires_at: '2030-01-08T00:00:00.000Z',
};

/** The tests invite somebody by it. */
export const EXAMPLE_LINK_TOKEN = 'm9QwErTyUiOpAsDfGhJkLzXcVbNm012';

export const INVITATION_OPERATIONS = operations('Users', {
  listInvitations: {
    summary: 'List invitations',
    description: 'Those that nobody has accepted, expired ones too, the newest first.',
    answer: z
      .object({ total: z.int(), data: z.array(invitation) })
      .meta({ id: 'InvitationList', description: 'The invitations of the team.' }),
    example: { answer: { total: 1, data: [zoe] } },
  },
  createInvitation: {
    summary: 'Invite somebody',
    description:
      'Mails a link that works for 7 days; where no mail is configured, the answer holds it. An address has one invitation of a team at a time: a pending one is sent again, an expired one is replaced. For admins.',
    body: invitationInput,
    answer: sentInvitation,
    example: {
      body: { email: 'mia@example.com', role: 'editor' },
      answer: { ...zoe, id: 2, email: 'mia@example.com' },
    },
  },
  updateInvitation: {
    summary: 'Change the role of an invitation',
    description: 'Who accepts it afterwards has the new role. For admins.',
    body: invitationChange,
    answer: invitation,
    example: { body: { role: 'viewer' }, answer: { ...zoe, role: 'viewer' } },
  },
  deleteInvitation: {
    summary: 'Withdraw an invitation',
    description: 'Its link works no more. For admins.',
  },
  resendInvitation: {
    summary: 'Send an invitation again',
    description: 'A new link for another 7 days; the former one works no more. For admins.',
    answer: sentInvitation,
    example: { answer: zoe },
  },
  acceptInvitation: {
    summary: 'Accept an invitation',
    description:
      'Whoever has the link joins the team. Somebody new gets an account with that name and password. An account whose address was never confirmed has to be signed in for it. A link that is unknown is 404, one that has expired or was used is 422, and one for somebody else than who is signed in is 403.',
    body: acceptInput,
    answer: z.object({ user, team }).meta({
      id: 'AcceptedInvitation',
      description: 'Who joined, and the team.',
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
    summary: 'See what an invitation is about',
    description: 'For the page that the link leads to.',
    query: previewQuery,
    answer: z
      .object({
        team: z.string().meta({ description: 'Name of the team.' }),
        inviter: z.string().nullable().meta({ description: 'Name of whoever sent it.' }),
        email: z.string(),
        role: z.enum(GIVEN_ROLES),
        expires_at: z.iso.datetime(),
        has_account: z.boolean().meta({
          description: 'Whether the address has an account; else a password is to be chosen.',
        }),
      })
      .meta({ id: 'InvitationPreview', description: 'What somebody is invited to.' }),
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
