import { reread, useRead } from '../../app/api.ts';
import {
  call,
  type BodyOf,
  type Invitation,
  type ResetLink,
  type SentInvitation,
  type User,
} from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { Copyable } from '../../parts/copy.tsx';
import { confirm, Dialog, openDialog } from '../../parts/dialog.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { MoreMenu, type MenuRequest } from '../../parts/menu.tsx';
import { Card, isLoaded, Loading, PageHead, Waiting } from '../../parts/page.tsx';
import { ScrollRegion, Table } from '../../parts/table.tsx';
import { DayTime, RelativeTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { attempt, showToast } from '../../parts/toast.tsx';
import { INVITATION } from '../../app/fields.gen.ts';
import { Choose, Input, useForm } from '../../parts/form.tsx';

const { members } = words;

/** Members of the team and open invitations. */
export default function MembersPage() {
  const session = useSession();
  // The stream says who joins, and not that they sign in then.
  const list = useRead('listUsers', {}, { refetchInterval: 15_000 });
  if (!isLoaded(list)) return <Loading reads={[list]} lines={6} />;
  const { data: people, team } = list.data;
  const isAdmin = session.isAtLeast('admin');
  return (
    <>
      <PageHead
        title={members.sentence(people.length, team)}
        tabTitle={words.nav.members}
        text={summary(people)}
        actions={
          isAdmin && (
            <Button look="primary" icon="plus" onClick={invite}>
              {members.invite}
            </Button>
          )
        }
      />
      <div className="stack">
        <Invitations />
        <Members people={people} isAdmin={isAdmin} />
      </div>
    </>
  );
}

function summary(people: readonly User[]): string {
  const without = people.filter(({ mfa_enabled, status }) => !mfa_enabled && status === 'active');
  return words.members.withoutFactor(without.length, people.length);
}

function Members({ people, isAdmin }: { people: readonly User[]; isAdmin: boolean }) {
  const itemsOf = useMemberItems();
  return (
    <Card title={words.nav.members}>
      <ScrollRegion label={members.table}>
        <Table
          rows={people}
          keyOf={({ id }) => id}
          columns={[
            {
              name: words.labels.name,
              render: (person) => <Name person={person} />,
              className: 'team-name',
            },
            { name: words.labels.role, render: ({ role }) => words.roles[role] },
            {
              name: members.factor,
              render: ({ mfa_enabled: isOn }) => (
                <span className="line">
                  <Icon name={isOn ? 'lock' : 'minus'} />
                  {isOn ? members.on : words.terms.off}
                </span>
              ),
            },
            {
              name: members.lastSignIn,
              render: ({ last_login_at: time }) =>
                time === null ? words.terms.never : <RelativeTime time={time} />,
            },
            isAdmin && {
              name: words.common.more,
              render: (person) => {
                const items = itemsOf(person);
                const label = words.common.actionsFor(person.name);
                return (
                  items.length > 0 && <MoreMenu look="ghost" label={label} items={() => items} />
                );
              },
              className: 'r team-menu',
              kind: 'unnamed',
            },
          ]}
        />
      </ScrollRegion>
    </Card>
  );
}

function Name({ person: { name, email, status, id } }: { person: User }) {
  const { user } = useSession();
  return (
    <>
      <p className="row">
        <span className="b clip" title={name}>
          {name}
        </span>
        {id === user.id && <span className="pill">{members.you}</span>}
        {status === 'disabled' && <span className="pill">{members.disabled}</span>}
      </p>
      <p className="xs dim clip" title={email}>
        {email}
      </p>
    </>
  );
}

/** Roles that people are given; the owner has theirs by a transfer. */
export const ROLES = ['admin', 'editor', 'viewer'] as const;

const rereadPeople = () => reread('members', 'team', 'account');

/** What may be done with a member, as entries of a menu. Empty for the owner, for oneself, and below admins. */
function useMemberItems(): (person: User) => MenuRequest['items'] {
  const { team, user, isAtLeast } = useSession();
  return (person) => {
    const { id, name, role, status } = person;
    if (!isAtLeast('admin') || role === 'owner' || id === user.id || team === null) return [];
    const isActive = status === 'active';
    const update = (body: BodyOf<'updateUser'>, text: string) =>
      void attempt(async () => {
        await call('updateUser', { path: { id }, body });
        await rereadPeople();
        return text;
      });
    return [
      ...ROLES.filter((other) => other !== role).map((other) => ({
        text: members.makeRole(words.roles[other]),
        icon: 'person' as const,
        onSelect: () => update({ role: other }, members.roleIs(name, words.roles[other])),
      })),
      'line',
      {
        text: members.makeLink,
        icon: 'key',
        onSelect: () =>
          void attempt(async () => showLink(name, await call('createResetLink', { path: { id } }))),
      },
      {
        text: isActive ? members.disable : members.enable,
        icon: isActive ? 'pause' : 'play',
        onSelect: () =>
          update(
            { status: isActive ? 'disabled' : 'active' },
            isActive ? members.isDisabled(name) : members.isEnabled(name),
          ),
      },
      isAtLeast('owner') &&
        isActive && {
          text: members.transfer,
          icon: 'members',
          onSelect: () =>
            confirm({
              title: members.transferTitle(name),
              text: members.transferText(team.name),
              action: members.transfer,
              typed: team.name,
              onConfirm: async () => {
                await call('transferTeam', { path: { id: team.id }, body: { user_id: id } });
                await rereadPeople();
                showToast(members.transferred(name));
              },
            }),
        },
      'line',
      {
        text: words.labels.remove,
        icon: 'trash',
        isDanger: true,
        onSelect: () =>
          confirm({
            title: members.removeTitle(name),
            text: members.removeText,
            action: words.labels.remove,
            onConfirm: async () => {
              await call('deleteUser', { path: { id } });
              await rereadPeople();
              showToast(members.removed(name));
            },
          }),
      },
    ];
  };
}

const showLink = (name: string, { url, expires_at }: ResetLink) =>
  openDialog((onClose) => (
    <Dialog title={members.resetTitle(name)} onClose={onClose}>
      <p>
        {members.resetText} <DayTime time={expires_at} />.
      </p>
      <Copyable text={url} label={members.makeLink} />
    </Dialog>
  ));

/** Invitations that nobody has accepted yet. Nothing without any. */
function Invitations() {
  const { isAtLeast } = useSession();
  const list = useRead('listInvitations');
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
              <p className="xs dim wrap account-facts">
                <span>{words.roles[invitation.role]}</span>
                <span>
                  {members.invited} <RelativeTime time={invitation.created_at} />
                </span>
                <span>
                  {isOver(invitation) ? words.terms.expired : words.terms.expires}{' '}
                  <RelativeTime time={invitation.expires_at} />
                </span>
              </p>
            </div>
            {isAtLeast('admin') && (
              <MoreMenu
                look="ghost"
                label={words.common.actionsFor(invitation.email)}
                items={() => itemsFor(invitation)}
              />
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function isOver({ expires_at }: Invitation): boolean {
  return Date.parse(expires_at) <= Date.now();
}

/** What may be done with an invitation, as entries of a menu. */
function itemsFor({ id, email, role }: Invitation): MenuRequest['items'] {
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
            showSent(sent);
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

const invite = () => openDialog((onClose) => <InviteDialog onClose={onClose} />);

/** Invites a person, then shows the link. */
function InviteDialog({ onClose }: { onClose: () => void }) {
  const { draft, form } = useForm(INVITATION, { email: '', role: 'editor' as Invitation['role'] });
  const send = async () => {
    const body = { ...draft, email: draft.email.trim() };
    const made = await call('createInvitation', { body });
    await reread('members');
    showSent(made);
  };
  return (
    <FormDialog
      title={members.inviteTitle}
      {...form}
      submit={members.invite}
      onSubmit={send}
      onClose={onClose}
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
    </FormDialog>
  );
}

/** How an invitation reaches its person: by mail, or by a link to hand on, which is shown once. */
const showSent = ({ url, email, expires_at }: SentInvitation) =>
  openDialog((onClose) => (
    <Dialog title={members.linkTitle(email)} onClose={onClose}>
      <p>
        {url === undefined ? members.mailed(email) : members.handOn(email)}{' '}
        <DayTime time={expires_at} />.
      </p>
      {url !== undefined && <Copyable text={url} label={members.link} />}
      <div className="acts">
        <Button onClick={onClose}>{words.common.close}</Button>
      </div>
    </Dialog>
  ));
