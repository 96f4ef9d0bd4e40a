import { useState } from 'react';
import { useRead } from '../../app/api.ts';
import { call, type ResetLink, type User } from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { Copyable } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { MoreMenu } from '../../parts/menu.tsx';
import { Card, isLoaded, Loading, PageHead } from '../../parts/page.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { DayTime, RelativeTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { Invitations, InviteDialog } from './invitations.tsx';
import { useMemberItems } from './member-items.ts';

/** Members of the team and open invitations. */
export default function MembersPage() {
  const session = useSession();
  const { members } = words;
  const [isInviting, setInviting] = useState(false);
  const list = useRead(['members'], () => call('listUsers'));
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
            <Button look="primary" icon="plus" onClick={() => setInviting(true)}>
              {members.invite}
            </Button>
          )
        }
      />
      <div className="stack">
        <Invitations />
        <Members people={people} isAdmin={isAdmin} />
      </div>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </>
  );
}

function summary(people: readonly User[]): string {
  const without = people.filter(({ mfa_enabled, status }) => !mfa_enabled && status === 'active');
  return words.members.withoutFactor(without.length, people.length);
}

function Members({ people, isAdmin }: { people: readonly User[]; isAdmin: boolean }) {
  const { members } = words;
  const [link, setLink] = useState<{ person: User; link: ResetLink } | null>(null);
  const itemsOf = useMemberItems((person, made) => setLink({ person, link: made }));
  return (
    <Card title={words.nav.members}>
      <ScrollRegion label={members.table}>
        <table className="stacked">
          <thead>
            <tr>
              <th scope="col">{words.labels.name}</th>
              <th scope="col">{words.labels.role}</th>
              <th scope="col">{members.factor}</th>
              <th scope="col">{members.lastSignIn}</th>
              {isAdmin && (
                <th scope="col">
                  <span className="vh">{words.common.more}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {people.map((person) => {
              const items = itemsOf(person);
              return (
                <tr key={person.id}>
                  <Name person={person} />
                  <td data-label={words.labels.role}>{words.roles[person.role]}</td>
                  <td data-label={members.factor}>
                    <span className="cell">
                      <Icon name={person.mfa_enabled ? 'lock' : 'minus'} />
                      {person.mfa_enabled ? members.on : members.off}
                    </span>
                  </td>
                  <td data-label={members.lastSignIn}>
                    {person.last_login_at === null ? (
                      members.never
                    ) : (
                      <RelativeTime time={person.last_login_at} />
                    )}
                  </td>
                  {isAdmin && (
                    <td className="r team-menu">
                      {items.length > 0 && (
                        <MoreMenu
                          look="ghost"
                          label={words.common.actionsFor(person.name)}
                          items={() => items}
                        />
                      )}
                    </td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollRegion>
      {link !== null && (
        <Dialog title={members.resetTitle(link.person.name)} onClose={() => setLink(null)}>
          <p>
            {members.resetText} <DayTime time={link.link.expires_at} />.
          </p>
          <Copyable text={link.link.url} label={words.members.makeLink} />
        </Dialog>
      )}
    </Card>
  );
}

function Name({ person: { name, email, status, id } }: { person: User }) {
  const { user } = useSession();
  const { members } = words;
  return (
    <td className="team-name">
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
    </td>
  );
}
