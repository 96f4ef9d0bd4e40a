import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useRead } from '../../app/api.ts';
import { call, type AlertChannel, type AlertRoute } from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { KeptGate, KeptMark } from '../../parts/kept.tsx';
import { Card, isLoaded, Loading, NeedsRole, PageHead } from '../../parts/page.tsx';
import { Paging } from '../../parts/sections.tsx';
import { SentTable } from '../../parts/sent-table.tsx';
import { words } from '../../words/index.ts';
import { bodyOf, draftOf } from './draft.ts';
import { channelCollection, ChannelForm, TestCard } from './form.tsx';
import { teamFields } from './new.tsx';
import { factsOf, HEALTH_STATUS, healthOf, healthSentence, leadsTo, reasonOf } from './state.ts';

const { channels } = words;

/** A channel of the team, for admins. */
export function TeamChannel({ id }: { id: number }) {
  const { isAtLeast } = useSession();
  if (isAtLeast('admin')) return <Channel id={id} />;
  return (
    <PageHead
      crumbs={[{ text: words.nav.channels, href: '/channels' }, { text: words.channels.ofTeam }]}
      title={words.channels.ofTeam}
      text={<NeedsRole least="admin" />}
    />
  );
}

function Channel({ id }: { id: number }) {
  const channel = useRead('getAlertChannel', { path: { id } });
  const types = useRead('listNotificationChannels');
  const routes = useRead('listAlertRoutes');
  if (!isLoaded(channel) || !isLoaded(types)) return <Loading reads={[channel, types]} lines={6} />;
  const naming = (routes.data?.data ?? []).filter((route) => leadsTo(route, id));
  const fields = teamFields(types.data.data, channel.data.type);
  return (
    <>
      <Head channel={channel.data} routes={naming} />
      <div className="cols2">
        <div className="stack">
          <Card>
            {/* It keeps what is typed while the state of the channel changes, and begins anew once it was changed. */}
            <KeptGate section="alert_channels" id={id}>
              <ChannelForm
                key={channel.data.updated_at}
                type={channel.data.type}
                fields={fields}
                initial={draftOf(channel.data)}
                isOfTeam
                submit={words.common.save}
                onSubmit={(draft) => channelCollection.save(id, bodyOf(draft, fields, true))}
              />
            </KeptGate>
          </Card>
          <Deliveries id={id} />
        </div>
        <div className="stack">
          <TestCard run={() => call('testAlertChannel', { path: { id } })} />
          <UsedBy channel={channel.data} routes={naming} />
        </div>
      </div>
    </>
  );
}

function Head({ channel, routes }: { channel: AlertChannel; routes: readonly AlertRoute[] }) {
  const [, navigate] = useLocation();
  const { id, name, enabled } = channel;
  const turn = (isOn: boolean): Promise<void> =>
    channelCollection.change(
      id,
      { enabled: isOn },
      (isOn ? channels.turnedOn : channels.turnedOff)(name),
      () => void turn(!isOn),
    );
  const remove = () =>
    channelCollection.askToDelete(channel, {
      text: (
        <>
          <p>{channels.deleteText}</p>
          {routes.length > 0 && (
            <p>{channels.deleteRoutes(routes.map((route) => route.name).join(', '))}</p>
          )}
        </>
      ),
      leave: () => navigate('/channels'),
    });
  const reason = enabled ? reasonOf(channel) : null;
  return (
    <PageHead
      crumbs={[{ text: words.nav.channels, href: '/channels' }, { text: name }]}
      displayStatus={HEALTH_STATUS[healthOf(channel)]}
      title={healthSentence(channel)}
      tabTitle={name}
      mark={<KeptMark section="alert_channels" id={id} />}
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
function UsedBy({ channel, routes }: { channel: AlertChannel; routes: readonly AlertRoute[] }) {
  return (
    <Card title={channels.usedBy}>
      <ul className="inset sm gap tight">
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
        <div className="row over form-end">
          <ButtonLink href={`/alert-routes?to=${channel.id}`}>{channels.routeToIt}</ButtonLink>
        </div>
      )}
    </Card>
  );
}

/** What was sent to a channel of the team, newest first. */
function Deliveries({ id }: { id: number }) {
  const [page, setPage] = useState(1);
  const read = useRead('listAlertChannelDeliveries', {
    path: { id },
    query: { page, per_page: 10 },
  });
  return (
    <Card title={channels.deliveries}>
      <Loading reads={[read]} />
      {read.data?.total === 0 && <p className="sm dim intro">{channels.deliveriesEmpty}</p>}
      {read.data !== undefined && read.data.total > 0 && (
        <>
          <SentTable
            rows={read.data.data}
            name={words.deliveries.columns.what}
            render={({ kind, incident_id }) => (
              <span className="line">
                {words.deliveries.kinds[kind]}
                {incident_id !== null && (
                  <Link className="link xs" href={`/incidents/${incident_id}`}>
                    {words.deliveries.whatHappened}
                  </Link>
                )}
              </span>
            )}
          />
          <Paging page={page} last={read.data.last_page} onChange={setPage} />
        </>
      )}
    </Card>
  );
}
