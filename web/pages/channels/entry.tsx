import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { StatusShape } from '../../parts/status.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { factsOf, HEALTH_STANDING, healthOf, reasonOf, typeWords, type Channel } from './state.ts';

/** Row of a channel, which opens its page. */
export function ChannelEntry({ channel }: { channel: Channel }): ReactNode {
  const name = channel.name || typeWords(channel.type).title;
  const facts = factsOf(channel).filter((fact) => fact.toLowerCase() !== name.toLowerCase());
  const reason = channel.enabled ? reasonOf(channel) : null;
  return (
    <li className="entry">
      <StatusShape standing={HEALTH_STANDING[healthOf(channel)]} isDecoration />
      <div>
        <p className="name">
          <Link href={`/channels/${channel.id}`} className="clip" title={name}>
            {name}
          </Link>
        </p>
        <p className="sub">
          {[...('email' in channel && channel.email ? [channel.email] : []), ...facts].join(' · ')}
        </p>
        {reason !== null && <p className="sub down">{reason}</p>}
      </div>
      <p className="at">
        <ChannelState channel={channel} />
      </p>
    </li>
  );
}

/** When a channel sent last, or since when it fails. */
export function ChannelState({ channel }: { channel: Channel }): ReactNode {
  const { channels } = words;
  switch (healthOf(channel)) {
    case 'off':
      return channels.stateOff;
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
