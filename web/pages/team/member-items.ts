import { reread } from '../../app/api.ts';
import { call, type BodyOf, type ResetLink, type User } from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import { confirm } from '../../parts/dialog.tsx';
import type { MenuRequest } from '../../parts/menu.tsx';
import { attempt, showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';

/** Roles that people are given; the owner has theirs by a transfer. */
export const ROLES = ['admin', 'editor', 'viewer'] as const;

const rereadPeople = () => reread('members', 'team', 'account');

/** What may be done with a member, as entries of a menu. Empty for the owner, for oneself, and below admins. */
export function useMemberItems(
  onLink: (person: User, link: ResetLink) => void,
): (person: User) => MenuRequest['items'] {
  const { team, user, isAtLeast } = useSession();
  const { members } = words;
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
          void attempt(async () => onLink(person, await call('createResetLink', { path: { id } }))),
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
      ...(isAtLeast('owner') && isActive
        ? [
            {
              text: members.transfer,
              icon: 'members' as const,
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
          ]
        : []),
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
