import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { ask, useChange, useRead } from '../../app/api.ts';
import { teamChanged } from '../../app/change-team.ts';
import { useSession } from '../../app/session.tsx';
import {
  createTeam,
  deleteTeam,
  getTeam,
  leaveTeam,
  switchTeam,
  updateTeam,
} from '../../client/sdk.gen.ts';
import type { WholeTeam } from '../../client/types.gen.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { confirm } from '../../parts/dialog.tsx';
import { Failure, Waiting } from '../../parts/failure.tsx';
import { Form, Input, Tick } from '../../parts/form.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { say } from '../../parts/toast.tsx';
import { NeedsRole } from '../../parts/needs-role.tsx';
import { words } from '../../words/index.ts';

/** Settings of the team, and further teams. */
export default function SettingsPage(): ReactNode {
  const { team, isAtLeast } = useSession();
  const { settings } = words;
  return (
    <>
      <PageHead
        title={settings.title}
        text={
          <>
            {team === null ? settings.noTeam : settings.sentence(team.name, words.roles[team.role])}{' '}
            {settings.ofPerson}{' '}
            <Link className="link" href="/account">
              {words.nav.account}
            </Link>
          </>
        }
        actions={
          <>
            {team !== null && (
              <ButtonLink icon="plan" href="/plan">
                {words.nav.plan}
              </ButtonLink>
            )}
            {isAtLeast('owner') && (
              <ButtonLink icon="server" href="/installation">
                {words.nav.installation}
              </ButtonLink>
            )}
          </>
        }
      />
      <div className="stack team-column">
        {team !== null && <CurrentTeam id={team.id} />}
        <NewTeam />
      </div>
    </>
  );
}

function CurrentTeam({ id }: { id: number }): ReactNode {
  const read = useRead(['team', id], () => getTeam({ path: { id } }));
  if (read.data === undefined && read.error)
    return <Failure error={read.error} retry={() => void read.refetch()} />;
  if (read.data === undefined) return <Waiting />;
  return (
    <>
      <TeamForm key={id} team={read.data} />
      <Leaving team={read.data} />
    </>
  );
}

function TeamForm({ team }: { team: WholeTeam }): ReactNode {
  const { isAtLeast } = useSession();
  const { settings } = words;
  const [name, setName] = useState(team.name);
  const [isRequired, setRequired] = useState(team.mfa_required);
  const update = useChange(
    () =>
      updateTeam({ path: { id: team.id }, body: { name: name.trim(), mfa_required: isRequired } }),
    ['team', 'account', 'members'],
  );
  if (!isAtLeast('admin'))
    return (
      <Card title={settings.team}>
        <p className="account-intro">
          <NeedsRole least="admin" />
        </p>
      </Card>
    );
  return (
    <Card title={settings.team}>
      <Form
        submit={words.common.save}
        onSubmit={async () => {
          await update.mutateAsync(undefined);
          say(settings.saved);
        }}
      >
        <div className="gap account-fields">
          <Input
            name="name"
            label={settings.name}
            maxLength={100}
            value={name}
            onChange={setName}
          />
          <Tick
            name="mfa_required"
            label={settings.factor}
            hint={settings.factorHint}
            checked={isRequired}
            onChange={setRequired}
          />
        </div>
      </Form>
    </Card>
  );
}

/** Leaving, or for the owner deleting, the team. */
function Leaving({ team }: { team: WholeTeam }): ReactNode {
  const { settings } = words;
  if (team.role !== 'owner') {
    const leave = () =>
      confirm({
        title: settings.leaveTitle(team.name),
        text: settings.leaveText,
        action: settings.leave,
        onConfirm: async () => {
          await ask(leaveTeam({ path: { id: team.id } }));
          teamChanged();
        },
      });
    return (
      <Card title={settings.leave} aside={<Button onClick={leave}>{settings.leave}</Button>}>
        <p className="account-intro">{settings.leaveText}</p>
      </Card>
    );
  }
  const remove = () =>
    confirm({
      title: settings.deleteTitle(team.name),
      text: settings.deleteText,
      action: settings.delete,
      typed: team.name,
      onConfirm: async () => {
        await ask(deleteTeam({ path: { id: team.id }, query: { name: team.name } }));
        teamChanged();
      },
    });
  return (
    <Card
      title={settings.delete}
      aside={
        <Button look="danger" onClick={remove}>
          {settings.delete}
        </Button>
      }
    >
      <p className="account-intro">{settings.deleteText}</p>
    </Card>
  );
}

/** Creates a team and switches to it. */
function NewTeam(): ReactNode {
  const { settings } = words;
  const [name, setName] = useState('');
  const create = async () => {
    const { id } = await ask(createTeam({ body: { name: name.trim() } }));
    await ask(switchTeam({ path: { id } }));
    teamChanged();
  };
  return (
    <Card title={settings.create}>
      <p className="account-intro">{settings.createText}</p>
      <Form submit={settings.create} isPrimary={false} onSubmit={create}>
        <div className="account-fields">
          <Input
            name="name"
            label={settings.name}
            maxLength={100}
            value={name}
            onChange={setName}
          />
        </div>
      </Form>
    </Card>
  );
}
