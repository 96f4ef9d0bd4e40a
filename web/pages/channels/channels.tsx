import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useRead } from '../../app/api.ts';
import { useSession } from '../../app/session.tsx';
import { listAlertChannels, listNotificationChannels } from '../../client/sdk.gen.ts';
import type { AlertChannel, NotificationChannel } from '../../client/types.gen.ts';
import type { Standing } from '../../lib/standing.ts';
import { ButtonLink } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty, Failure, Waiting } from '../../parts/failure.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { words } from '../../words/index.ts';
import { ChannelEntry } from './entry.tsx';
import { needsAttention, typeWords, type Channel } from './state.ts';

/** Where alerts go: do they get through? */
export default function ChannelsPage(): ReactNode {
  const { isAtLeast } = useSession();
  const isAdmin = isAtLeast('admin');
  const team = useRead(
    ['alert-channels'],
    () => listAlertChannels({ query: { per_page: 100, direction: 'asc' } }),
    { enabled: isAdmin },
  );
  const own = useRead(['account', 'channels'], () => listNotificationChannels());
  const failed = team.error ?? own.error;
  if (failed) {
    return (
      <Failure error={failed} retry={() => void Promise.all([team.refetch(), own.refetch()])} />
    );
  }
  if (own.data === undefined || (isAdmin && team.data === undefined)) return <Waiting lines={6} />;
  const ownOnes = own.data.data.filter(({ configured }) => configured);
  const { standing, title } = summaryOf(team.data?.data ?? null, ownOnes);
  return (
    <>
      <PageHead
        standing={standing}
        title={title}
        tabTitle={words.channels.title}
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
): { standing: Standing; title: string } {
  const { channels } = words;
  if (team !== null && team.length > 0) {
    const failing = team.filter(needsAttention).length;
    if (failing === 0) return { standing: 'online', title: channels.allWell(team.length) };
    const standing = failing === team.length ? 'offline' : 'degraded';
    return { standing, title: channels.someFail(failing, team.length) };
  }
  const enabled = own.filter((channel) => channel.enabled);
  if (enabled.length === 0) {
    return { standing: 'degraded', title: team === null ? channels.ownNone : channels.noneTitle };
  }
  return enabled.some(needsAttention)
    ? { standing: 'degraded', title: channels.ownFail }
    : { standing: 'online', title: channels.ownWell };
}

function TeamChannels({ channels }: { channels: readonly AlertChannel[] }): ReactNode {
  return (
    <Card title={words.channels.ofTeam}>
      <p className="intro">{words.channels.ofTeamText}</p>
      {channels.length === 0 ? (
        <Empty title={words.channels.emptyTitle} text={words.channels.emptyText}>
          <ButtonLink href="/channels/new">{words.channels.new}</ButtonLink>
        </Empty>
      ) : (
        <ul className="entry-list">
          {channels.map((channel) => (
            <ChannelEntry key={channel.id} channel={channel} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function OwnChannels({ channels }: { channels: readonly NotificationChannel[] }): ReactNode {
  const configured = channels.filter((channel) => channel.configured);
  return (
    <Card title={words.channels.own}>
      <p className="intro">
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
function OwnTypes({ channels }: { channels: readonly NotificationChannel[] }): ReactNode {
  const ordered = channels.toSorted(
    (a, b) => Number(b.type === 'web_push') - Number(a.type === 'web_push'),
  );
  return (
    <div className="type-cards">
      {ordered.map(({ type }) => (
        <Link key={type} className="type-card" href={`/channels/${type}`}>
          <b className="b">{typeWords(type).title}</b>
          <span>{type === 'email' ? words.channels.ownMailText : typeWords(type).text}</span>
        </Link>
      ))}
    </div>
  );
}
