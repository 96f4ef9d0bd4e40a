import { useChange } from '../../app/api.ts';
import { useSession } from '../../app/session.tsx';
import { createResetLink, deleteUser, transferTeam, updateUser } from '../../client/sdk.gen.ts';
import type { ResetLink, User } from '../../client/types.gen.ts';
import { confirm } from '../../parts/dialog.tsx';
import type { MenuItem } from '../../parts/menu.tsx';
import { say, sayError } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';

const ROLES = ['admin', 'editor', 'viewer'] as const;
const CONCERNED = ['members', 'team', 'account'];

/** What may be done with a member, as entries of a menu. Empty for the owner, for oneself, and below admins. */
export function useMemberItems(
  onLink: (person: User, link: ResetLink) => void,
): (person: User) => (MenuItem | 'line')[] {
  const { team, user, isAtLeast } = useSession();
  const { members } = words;
  const update = useChange(
    ({ id, body }: { id: number; body: Parameters<typeof updateUser>[0]['body'] }) =>
      updateUser({ path: { id }, body }),
    CONCERNED,
  );
  const remove = useChange((id: number) => deleteUser({ path: { id } }), CONCERNED);
  const reset = useChange((id: number) => createResetLink({ path: { id } }), []);
  const transfer = useChange(
    ({ teamId, user_id }: { teamId: number; user_id: number }) =>
      transferTeam({ path: { id: teamId }, body: { user_id } }),
    CONCERNED,
  );
  return (person) => {
    const { id, name, role, status } = person;
    if (!isAtLeast('admin') || role === 'owner' || id === user.id || team === null) return [];
    const others = ROLES.filter((other) => other !== role);
    const isActive = status === 'active';
    return [
      ...others.map((other) => ({
        text: members.makeRole(words.roles[other]),
        icon: 'person' as const,
        onSelect: () =>
          update.mutate(
            { id, body: { role: other } },
            { onSuccess: () => say(members.roleIs(name, words.roles[other])), onError: sayError },
          ),
      })),
      'line',
      {
        text: members.makeLink,
        icon: 'key',
        onSelect: () =>
          reset.mutate(id, { onSuccess: (link) => onLink(person, link), onError: sayError }),
      },
      {
        text: isActive ? members.disable : members.enable,
        icon: isActive ? 'pause' : 'play',
        onSelect: () =>
          update.mutate(
            { id, body: { status: isActive ? 'disabled' : 'active' } },
            {
              onSuccess: () => say(isActive ? members.isDisabled(name) : members.isEnabled(name)),
              onError: sayError,
            },
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
                    await transfer.mutateAsync({ teamId: team.id, user_id: id });
                    say(members.transferred(name));
                  },
                }),
            },
          ]
        : []),
      'line',
      {
        text: members.remove,
        icon: 'trash',
        isDanger: true,
        onSelect: () =>
          confirm({
            title: members.removeTitle(name),
            text: members.removeText,
            action: members.remove,
            onConfirm: async () => {
              await remove.mutateAsync(id);
              say(members.removed(name));
            },
          }),
      },
    ];
  };
}
