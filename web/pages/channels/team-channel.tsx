import { useMemo, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { ask, deleteShown, queries, useRead } from '../../app/api.ts';
import { useSession } from '../../app/session.tsx';
import {
  deleteAlertChannel,
  getAlertChannel,
  listAlertRoutes,
  listNotificationChannels,
  testAlertChannel,
  updateAlertChannel,
} from '../../client/sdk.gen.ts';
import type { AlertChannel, AlertRoute } from '../../client/types.gen.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { confirm } from '../../parts/dialog.tsx';
import { Failure, Waiting } from '../../parts/failure.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { say, sayError } from '../../parts/toast.tsx';
import { NeedsRole } from '../../parts/needs-role.tsx';
import { words } from '../../words/index.ts';
import { Deliveries } from './deliveries.tsx';
import { bodyOf, draftOf, type ChannelDraft } from './draft.ts';
import { ChannelForm } from './form.tsx';
import { teamFields } from './new.tsx';
import { factsOf, HEALTH_STANDING, healthOf, healthSentence, reasonOf } from './state.ts';
import { TestCard } from './test-card.tsx';

/** A channel of the team, for admins. */
export function TeamChannel({ id }: { id: number }): ReactNode {
  const { isAtLeast } = useSession();
  if (isAtLeast('admin')) return <Channel id={id} />;
  return (
    <PageHead
      crumbs={[{ text: words.channels.title, href: '/channels' }, { text: words.channels.ofTeam }]}
      title={words.channels.ofTeam}
      text={<NeedsRole least="admin" />}
    />
  );
}

/** Does it get through? */
function Channel({ id }: { id: number }): ReactNode {
  const channel = useRead(['alert-channels', id], () => getAlertChannel({ path: { id } }));
  const types = useRead(['account', 'channels'], () => listNotificationChannels());
  const routes = useRead(['alert-routes'], () => listAlertRoutes());
  const failed = channel.error ?? types.error;
  if (failed) return <Failure error={failed} retry={() => void channel.refetch()} />;
  if (channel.data === undefined || types.data === undefined) return <Waiting lines={6} />;
  const naming = (routes.data?.data ?? []).filter((route) => names(route, id));
  const fields = teamFields(types.data.data, channel.data.type);
  const save = async (draft: ChannelDraft) => {
    const saved = await ask(
      updateAlertChannel({ path: { id }, body: bodyOf(draft, fields, true) }),
    );
    await queries.invalidateQueries({ queryKey: ['alert-channels'] });
    say(words.channels.saved(saved.name));
  };
  return (
    <>
      <Head channel={channel.data} routes={naming} />
      <div className="cols2">
        <div className="stack">
          <Card>
            <Editor channel={channel.data} fields={fields} onSave={save} />
          </Card>
          <Deliveries id={id} />
        </div>
        <div className="stack">
          <TestCard run={() => ask(testAlertChannel({ path: { id } }))} />
          <UsedBy channel={channel.data} routes={naming} />
        </div>
      </div>
    </>
  );
}

function names({ channels, escalation }: AlertRoute, id: number): boolean {
  return channels.includes(id) || escalation.some((step) => step.channels.includes(id));
}

/** The form keeps what is typed while the state of the channel changes; it begins anew after the channel was changed. */
function Editor({
  channel,
  fields,
  onSave,
}: {
  channel: AlertChannel;
  fields: ReturnType<typeof teamFields>;
  onSave: (draft: ChannelDraft) => Promise<void>;
}): ReactNode {
  const initial = useMemo(() => draftOf(channel), [channel]);
  return (
    <ChannelForm
      key={channel.updated_at}
      type={channel.type}
      fields={fields}
      initial={initial}
      isOfTeam
      submit={words.common.save}
      onSubmit={onSave}
    />
  );
}

function Head({
  channel,
  routes,
}: {
  channel: AlertChannel;
  routes: readonly AlertRoute[];
}): ReactNode {
  const [, navigate] = useLocation();
  const { id, name, enabled } = channel;
  const turn = async (isOn: boolean) => {
    try {
      await ask(updateAlertChannel({ path: { id }, body: { enabled: isOn } }));
      await queries.invalidateQueries({ queryKey: ['alert-channels'] });
      const { turnedOn, turnedOff } = words.channels;
      say((isOn ? turnedOn : turnedOff)(name), () => void turn(!isOn));
    } catch (error) {
      sayError(error);
    }
  };
  const remove = () =>
    confirm({
      title: words.channels.deleteTitle(name),
      text: (
        <>
          <p>{words.channels.deleteText}</p>
          {routes.length > 0 && (
            <p>{words.channels.deleteRoutes(routes.map((route) => route.name).join(', '))}</p>
          )}
        </>
      ),
      action: words.common.delete,
      onConfirm: async () => {
        await deleteShown(['alert-channels', id], () => deleteAlertChannel({ path: { id } }));
        navigate('/channels');
        say(words.channels.deleted(name));
        await queries.invalidateQueries({ queryKey: ['alert-channels'] });
      },
    });
  const reason = enabled ? reasonOf(channel) : null;
  return (
    <PageHead
      crumbs={[{ text: words.channels.title, href: '/channels' }, { text: name }]}
      standing={HEALTH_STANDING[healthOf(channel)]}
      title={healthSentence(channel)}
      tabTitle={name}
      text={reason ?? factsOf(channel).join(' · ')}
      actions={
        <>
          <Button onClick={() => void turn(!enabled)}>
            {enabled ? words.channels.turnOff : words.channels.turnOn}
          </Button>
          <Button look="danger" onClick={remove}>
            {words.common.delete}
          </Button>
        </>
      }
    />
  );
}

/** Why this channel gets alerts at all. */
function UsedBy({
  channel,
  routes,
}: {
  channel: AlertChannel;
  routes: readonly AlertRoute[];
}): ReactNode {
  const { channels } = words;
  return (
    <Card title={channels.usedBy}>
      <ul className="plain-list">
        {channel.is_default && <li>{channels.usedByDefault}</li>}
        {routes.map(({ id, name }) => (
          <li key={id}>
            <Link className="link" href={`/alert-routes?route=${id}`}>
              {name}
            </Link>
          </li>
        ))}
        {!channel.is_default && routes.length === 0 && (
          <li className="warn">{channels.usedByNobody}</li>
        )}
      </ul>
      {routes.length === 0 && (
        <div className="form-end">
          <ButtonLink href={`/alert-routes?to=${channel.id}`}>{channels.routeToIt}</ButtonLink>
        </div>
      )}
    </Card>
  );
}
