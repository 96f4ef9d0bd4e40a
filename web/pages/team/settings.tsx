import { Link, useLocation, useSearch } from 'wouter';
import { reread, useRead } from '../../app/api.ts';
import { teamChanged } from '../../app/change-team.ts';
import { call, type WholeTeam } from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import { TEAM } from '../../app/fields.gen.ts';
import { Button } from '../../parts/button.tsx';
import { confirm } from '../../parts/dialog.tsx';
import { Form, Input, Tick, useForm } from '../../parts/form.tsx';
import { Card, isLoaded, Loading, NeedsRole, PageHead } from '../../parts/page.tsx';
import { showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';

const { settings } = words;

/** Settings of the team, and further teams. */
export default function SettingsPage() {
  const { team } = useSession();
  return (
    <>
      <PageHead
        title={words.nav.settings}
        text={
          <>
            {team === null ? settings.noTeam : settings.sentence(team.name, words.roles[team.role])}{' '}
            {settings.ofPerson}{' '}
            <Link className="link" href="/account">
              {words.nav.account}
            </Link>
          </>
        }
      />
      <SettingsTabs />
      <div className="stack narrow">
        {team === null ? <NewTeam /> : <CurrentTeam id={team.id} />}
      </div>
    </>
  );
}

function CurrentTeam({ id }: { id: number }) {
  const read = useRead('getTeam', { path: { id } });
  if (!isLoaded(read)) return <Loading reads={[read]} />;
  return (
    <>
      <TeamForm key={id} team={read.data} />
      <NewTeam />
      <Leaving team={read.data} />
    </>
  );
}

function TeamForm({ team }: { team: WholeTeam }) {
  const { isAtLeast } = useSession();
  const { draft, form } = useForm(TEAM, { name: team.name, mfa_required: team.mfa_required });
  const save = async () => {
    const body = { ...draft, name: draft.name.trim() };
    await call('updateTeam', { path: { id: team.id }, body });
    await reread('team', 'account', 'members');
    showToast(settings.saved);
  };
  if (!isAtLeast('admin'))
    return (
      <Card title={words.nav.team}>
        <p className="inset sm dim">
          <NeedsRole least="admin" />
        </p>
      </Card>
    );
  return (
    <Card title={words.nav.team}>
      <Form {...form} submit={words.common.save} onSubmit={save}>
        <div className="gap inset">
          <Input name="name" label={settings.name} />
          <Tick name="mfa_required" label={settings.factor} hint={settings.factorHint} />
        </div>
      </Form>
    </Card>
  );
}

/** Leaving, or for the owner deleting, the team. */
function Leaving({ team: { id, name, role } }: { team: WholeTeam }) {
  const isOwner = role === 'owner';
  const action = isOwner ? settings.delete : settings.leave;
  const text = isOwner ? settings.deleteText : settings.leaveText;
  const ask = () =>
    confirm({
      title: isOwner ? words.dialog.deleteTitle(name) : settings.leaveTitle(name),
      text,
      action,
      ...(isOwner && { typed: name }),
      onConfirm: async () => {
        await (isOwner
          ? call('deleteTeam', { path: { id }, query: { name } })
          : call('leaveTeam', { path: { id } }));
        teamChanged();
      },
    });
  return (
    <Card
      title={action}
      aside={
        <Button look={isOwner ? 'danger' : 'plain'} onClick={ask}>
          {action}
        </Button>
      }
    >
      <p className="inset sm dim">{text}</p>
    </Card>
  );
}

/** Pages about the team and what it runs on, as tabs. */
export function SettingsTabs() {
  const { team, isAtLeast } = useSession();
  const [location] = useLocation();
  const tabs = [
    ['/settings', words.nav.team],
    ...(team === null ? [] : [['/plan', words.nav.plan] as const]),
    ...(isAtLeast('owner') ? [['/installation', words.nav.installation] as const] : []),
  ] as const;
  if (tabs.length === 1) return null;
  return (
    <nav className="seg below" aria-label={words.nav.settings}>
      {tabs.map(([href, text]) => (
        <Link key={href} href={href} aria-current={href === location ? 'page' : undefined}>
          {text}
        </Link>
      ))}
    </nav>
  );
}

/** Creates a team and switches to it. */
function NewTeam() {
  const isAskedFor = useSearch() === 'create';
  const { draft, form } = useForm(TEAM, { name: '' });
  const create = async () => {
    const { id } = await call('createTeam', { body: { name: draft.name.trim() } });
    await call('switchTeam', { path: { id } });
    teamChanged();
  };
  return (
    <Card title={words.nav.newTeam}>
      <p className="inset sm dim">{settings.createText}</p>
      <Form {...form} submit={words.nav.newTeam} isPrimary={false} onSubmit={create}>
        <div className="inset">
          <Input
            key={String(isAskedFor)}
            name="name"
            label={settings.name}
            autoFocus={isAskedFor}
          />
        </div>
      </Form>
    </Card>
  );
}
