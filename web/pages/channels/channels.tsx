import { Link } from 'wouter';
import { useRead } from '../../app/api.ts';
import {
  ApiError,
  call,
  type AlertChannel,
  type AlertRoute,
  type NotificationChannel,
} from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import type { DisplayStatus } from '../../lib/display-status.ts';
import { ButtonLink, IconButton } from '../../parts/button.tsx';
import { Entry } from '../../parts/entry.tsx';
import { Card, Empty, isLoaded, Loading, PageHead } from '../../parts/page.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { attempt } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { ServiceMark, TypeCard } from './service-marks.tsx';
import {
  factsOf,
  HEALTH_STATUS,
  healthOf,
  leadsTo,
  needsAttention,
  reasonOf,
  typeWords,
  type Channel,
} from './state.ts';

/** Where alerts go: do they get through? */
export default function ChannelsPage() {
  const { isAtLeast } = useSession();
  const isAdmin = isAtLeast('admin');
  const team = useRead(
    'listAlertChannels',
    { query: { per_page: 100, direction: 'asc' } },
    { enabled: isAdmin },
  );
  const own = useRead('listNotificationChannels');
  if (!isLoaded(own) || (isAdmin && !isLoaded(team)))
    return <Loading reads={isAdmin ? [team, own] : [own]} lines={6} />;
  const ownOnes = own.data.data.filter(({ configured }) => configured);
  const { displayStatus, title } = summaryOf(team.data?.data ?? null, ownOnes);
  return (
    <>
      <PageHead
        displayStatus={displayStatus}
        title={title}
        tabTitle={words.nav.channels}
        text={words.channels.headText}
        actions={
          isAdmin && (
            <ButtonLink look="primary" icon="plus" href="/channels/new">
              {words.channels.new}
            </ButtonLink>
          )
        }
      />
      <div className="stack">
        {team.data !== undefined && <TeamChannels channels={team.data.data} />}
        <OwnChannels channels={own.data.data} />
        {!isAdmin && <p className="dim">{words.channels.ofTeamHidden}</p>}
      </div>
    </>
  );
}

/** @param team null for people who may not see the channels of the team */
function summaryOf(
  team: readonly Channel[] | null,
  own: readonly Channel[],
): { displayStatus: DisplayStatus; title: string } {
  const { channels } = words;
  if (team !== null && team.length > 0) {
    const failing = team.filter(needsAttention).length;
    if (failing === 0) return { displayStatus: 'online', title: channels.allWell(team.length) };
    const displayStatus = failing === team.length ? 'offline' : 'degraded';
    return { displayStatus, title: channels.someFail(failing, team.length) };
  }
  const enabled = own.filter((channel) => channel.enabled);
  if (enabled.length === 0) {
    return {
      displayStatus: 'degraded',
      title: team === null ? channels.ownNone : channels.noneTitle,
    };
  }
  return enabled.some(needsAttention)
    ? { displayStatus: 'degraded', title: channels.ownFail }
    : { displayStatus: 'online', title: channels.ownWell };
}

function TeamChannels({ channels }: { channels: readonly AlertChannel[] }) {
  const routes = useRead('listAlertRoutes');
  return (
    <Card title={words.channels.ofTeam}>
      <p className="sm dim intro">{words.channels.ofTeamText}</p>
      {channels.length === 0 ? (
        <Empty title={words.channels.emptyTitle} text={words.channels.emptyText}>
          <ButtonLink href="/channels/new">{words.channels.new}</ButtonLink>
        </Empty>
      ) : (
        <ul className="entry-list">
          {channels.map((channel) => (
            <ChannelEntry key={channel.id} channel={channel} routes={routes.data?.data} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function OwnChannels({ channels }: { channels: readonly NotificationChannel[] }) {
  const configured = channels.filter((channel) => channel.configured);
  return (
    <Card title={words.channels.own}>
      <p className="sm dim intro">
        {configured.length === 0 ? words.channels.ownEmpty : words.channels.ownText}
      </p>
      <ul className="entry-list">
        {configured.map((channel) => (
          <ChannelEntry key={channel.id} channel={channel} />
        ))}
      </ul>
      <details className="folded" open={configured.length === 0}>
        <summary>{words.channels.addOwn}</summary>
        <OwnTypes channels={channels.filter((channel) => !channel.configured)} />
      </details>
    </Card>
  );
}

/** Ways to reach a person that are not set up yet; the browser comes first. */
function OwnTypes({ channels }: { channels: readonly NotificationChannel[] }) {
  const ordered = channels.toSorted(
    (a, b) => Number(b.type === 'web_push') - Number(a.type === 'web_push'),
  );
  return (
    <div className="inset type-cards">
      {ordered.map(({ type }) => (
        <Link key={type} className="type-card" href={`/channels/${type}`}>
          <TypeCard type={type} text={type === 'email' ? words.channels.ownMailText : undefined} />
        </Link>
      ))}
    </div>
  );
}

/** Which routes lead to a channel; that nothing does where it is no default either. */
function usesOf(channel: AlertChannel, routes: readonly AlertRoute[]): string[] {
  const names = routes.filter((route) => leadsTo(route, channel.id)).map(({ name }) => name);
  if (names.length > 0) return [words.channels.facts.routes(names.join(', '))];
  return channel.is_default ? [] : [words.channels.facts.unused];
}

/** Sends a test, and says what came of it. */
function sendTest({ id }: Channel): Promise<void> {
  return attempt(async () => {
    const { success, message } = await (typeof id === 'number'
      ? call('testAlertChannel', { path: { id } })
      : call('testNotificationChannel', { path: { channel: id } }));
    if (!success) throw new ApiError(0, { message });
    return message;
  });
}

/** Row of a channel, which opens its page. */
function ChannelEntry({ channel, routes }: { channel: Channel; routes?: readonly AlertRoute[] }) {
  const name = channel.name || typeWords(channel.type).title;
  const uses = 'is_default' in channel && routes ? usesOf(channel, routes) : [];
  const facts = factsOf(channel).filter((fact) => fact.toLowerCase() !== name.toLowerCase());
  const reason = channel.enabled ? reasonOf(channel) : null;
  return (
    <Entry
      shape={<StatusShape displayStatus={HEALTH_STATUS[healthOf(channel)]} isDecoration />}
      name={name}
      href={`/channels/${channel.id}`}
      at={<ChannelState channel={channel} />}
      acts={
        <span className="wide">
          <IconButton
            icon="play"
            label={`${words.channels.test}: ${name}`}
            onClick={() => void sendTest(channel)}
          />
        </span>
      }
    >
      <p className="sub">
        <ServiceMark type={channel.type} />
        {[...('email' in channel && channel.email ? [channel.email] : []), ...facts, ...uses].join(
          ' · ',
        )}
      </p>
      {reason !== null && <p className="sub down">{reason}</p>}
    </Entry>
  );
}

/** When a channel sent last, or since when it fails. */
function ChannelState({ channel }: { channel: Channel }) {
  const { channels } = words;
  switch (healthOf(channel)) {
    case 'off':
      return words.terms.off;
    case 'failing':
      return (
        <span className="down">
          {channels.stateFailing} <RelativeTime time={channel.failing_since!} />
        </span>
      );
    default:
      if (channel.last_delivered_at === null) return channels.stateUntried;
      return (
        <>
          {channels.stateLast} <RelativeTime time={channel.last_delivered_at} />
        </>
      );
  }
}
