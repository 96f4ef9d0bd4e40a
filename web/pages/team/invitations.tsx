import { useState } from 'react';
import { reread, useRead } from '../../app/api.ts';
import { call, type Invitation, type SentInvitation } from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import { INVITATION } from '../../app/fields.gen.ts';
import { Button } from '../../parts/button.tsx';
import { Copyable } from '../../parts/copy.tsx';
import { confirm, Dialog } from '../../parts/dialog.tsx';
import { Choose, Form, Input, useDraft } from '../../parts/form.tsx';
import { MoreMenu, type MenuRequest } from '../../parts/menu.tsx';
import { Card, Waiting } from '../../parts/page.tsx';
import { DayTime, RelativeTime } from '../../parts/time.tsx';
import { attempt, showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { ROLES } from './member-items.ts';

/** Invitations that nobody has accepted yet. Nothing without any. */
export function Invitations() {
  const { isAtLeast } = useSession();
  const { members } = words;
  const [sent, setSent] = useState<SentInvitation | null>(null);
  const list = useRead(['members', 'invitations'], () => call('listInvitations'));
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
              <MoreMenu
                look="ghost"
                label={words.common.actionsFor(invitation.email)}
                items={() => itemsFor(invitation, setSent)}
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
function itemsFor(
  { id, email, role }: Invitation,
  onSent: (sent: SentInvitation) => void,
): MenuRequest['items'] {
  const { members } = words;
  return [
    {
      text: members.resend,
      icon: 'refresh',
      onSelect: () =>
        confirm({
          title: members.resendTitle(email),
          text: members.resendText,
          action: members.resend,
          onConfirm: async () => {
            const sent = await call('resendInvitation', { path: { id } });
            await reread('members');
            onSent(sent);
          },
        }),
    },
    ...ROLES.filter((other) => other !== role).map((other) => ({
      text: members.makeRole(words.roles[other]),
      onSelect: () =>
        void attempt(async () => {
          await call('updateInvitation', { path: { id }, body: { role: other } });
          await reread('members');
          return members.roleIs(email, words.roles[other]);
        }),
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
            await call('deleteInvitation', { path: { id } });
            await reread('members');
            showToast(members.withdrawn(email));
          },
        }),
    },
  ];
}

/** Invites a person, then shows the link. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { members } = words;
  const [draft, set] = useDraft({ email: '', role: 'editor' as Invitation['role'] });
  const [sent, setSent] = useState<SentInvitation | null>(null);
  const invite = async () => {
    const body = { ...draft, email: draft.email.trim() };
    const made = await call('createInvitation', { body });
    await reread('members');
    setSent(made);
  };
  if (sent !== null) {
    return (
      <Dialog title={members.linkTitle(sent.email)} onClose={onClose}>
        <SentLink sent={sent} />
        <div className="acts">
          <Button onClick={onClose}>{words.common.close}</Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={members.inviteTitle} onClose={onClose}>
      <Form
        fields={INVITATION}
        draft={draft}
        set={set}
        submit={members.invite}
        onCancel={onClose}
        onSubmit={invite}
      >
        <div className="gap dialog-fields">
          <Input name="email" label={words.labels.email} type="email" />
          <Choose
            name="role"
            label={words.labels.role}
            hint={members.roleHints[draft.role]}
            texts={words.roles}
          />
        </div>
      </Form>
    </Dialog>
  );
}

/** How an invitation reaches its person: by mail, or by a link to hand on, which is shown once. */
function SentLink({ sent }: { sent: SentInvitation }) {
  const { members } = words;
  return (
    <>
      <p>
        {sent.url === undefined ? members.mailed(sent.email) : members.handOn(sent.email)}{' '}
        <DayTime time={sent.expires_at} />.
      </p>
      {sent.url !== undefined && <Copyable text={sent.url} label={members.link} />}
    </>
  );
}
