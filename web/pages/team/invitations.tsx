import { useState, type ReactNode } from 'react';
import { useChange, useRead } from '../../app/api.ts';
import { useSession } from '../../app/session.tsx';
import {
  deleteInvitation,
  listInvitations,
  resendInvitation,
  updateInvitation,
} from '../../client/sdk.gen.ts';
import type { Invitation, SentInvitation } from '../../client/types.gen.ts';
import { IconButton } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Waiting } from '../../parts/failure.tsx';
import { confirm, Dialog } from '../../parts/dialog.tsx';
import { openMenu, type MenuItem } from '../../parts/menu.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { say, sayError } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { SentLink } from './sent-link.tsx';

const ROLES = ['admin', 'editor', 'viewer'] as const;

/** Invitations that nobody has accepted yet. Nothing without any. */
export function Invitations(): ReactNode {
  const { isAtLeast } = useSession();
  const { members } = words;
  const [sent, setSent] = useState<SentInvitation | null>(null);
  const list = useRead(['members', 'invitations'], () => listInvitations());
  const itemsOf = useInvitationItems(setSent);
  const invitations = list.data?.data ?? [];
  if (list.isPending) return <Waiting lines={1} />;
  if (invitations.length === 0) return null;
  return (
    <Card title={members.invitations(invitations.length)}>
      <ul className="account-rows">
        {invitations.map((invitation) => (
          <li key={invitation.id}>
            <div>
              <p className="b clip" title={invitation.email}>
                {invitation.email}
              </p>
              <p className="account-facts">
                <span>{words.roles[invitation.role]}</span>
                <span>
                  {members.invited} <RelativeTime time={invitation.created_at} />
                </span>
                <span>
                  {isOver(invitation) ? members.expired : members.expires}{' '}
                  <RelativeTime time={invitation.expires_at} />
                </span>
              </p>
            </div>
            {isAtLeast('admin') && (
              <IconButton
                look="ghost"
                icon="more"
                label={words.common.actionsFor(invitation.email)}
                aria-haspopup="menu"
                onClick={({ currentTarget }) =>
                  openMenu({
                    label: invitation.email,
                    anchor: currentTarget,
                    items: itemsOf(invitation),
                  })
                }
              />
            )}
          </li>
        ))}
      </ul>
      {sent !== null && (
        <Dialog title={members.linkTitle(sent.email)} onClose={() => setSent(null)}>
          <SentLink sent={sent} />
        </Dialog>
      )}
    </Card>
  );
}

function isOver({ expires_at }: Invitation): boolean {
  return Date.parse(expires_at) <= Date.now();
}

/** What may be done with an invitation, as entries of a menu. */
function useInvitationItems(
  onSent: (sent: SentInvitation) => void,
): (invitation: Invitation) => (MenuItem | 'line')[] {
  const { members } = words;
  const resend = useChange((id: number) => resendInvitation({ path: { id } }), ['members']);
  const remove = useChange((id: number) => deleteInvitation({ path: { id } }), ['members']);
  const update = useChange(
    ({ id, role }: { id: number; role: Invitation['role'] }) =>
      updateInvitation({ path: { id }, body: { role } }),
    ['members'],
  );
  return ({ id, email, role }) => [
    {
      text: members.resend,
      icon: 'refresh',
      onSelect: () =>
        confirm({
          title: members.resendTitle(email),
          text: members.resendText,
          action: members.resend,
          onConfirm: async () => onSent(await resend.mutateAsync(id)),
        }),
    },
    ...ROLES.filter((other) => other !== role).map((other) => ({
      text: members.makeRole(words.roles[other]),
      onSelect: () =>
        update.mutate(
          { id, role: other },
          { onSuccess: () => say(members.roleIs(email, words.roles[other])), onError: sayError },
        ),
    })),
    'line',
    {
      text: members.withdraw,
      icon: 'trash',
      isDanger: true,
      onSelect: () =>
        confirm({
          title: members.withdrawTitle(email),
          text: members.withdrawText,
          action: members.withdraw,
          onConfirm: async () => {
            await remove.mutateAsync(id);
            say(members.withdrawn(email));
          },
        }),
    },
  ];
}
