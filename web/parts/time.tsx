import type { ReactNode } from 'react';
import { useNow } from '../app/clock.ts';
import { useZone } from '../app/session.ts';
import { absolute, clock, day, dayAndTime, duration, relative } from '../lib/format.ts';
import { words } from '../words/index.ts';
import { useSummary } from '../app/overview.ts';
import type { Incident } from '../app/api.gen.ts';

/** Milliseconds of a time of the API, which writes ISO 8601. */
export function at(time: string): number {
  return Date.parse(time);
}

interface TimeProps {
  time: string | number;
}

/** Time relative to now, "2 min ago"; the time in full on hover. */
export function RelativeTime({ time }: TimeProps) {
  const zone = useZone();
  const moment = typeof time === 'number' ? time : at(time);
  // The clock lags by up to its step: with a longer one, what has just happened would be ahead.
  const now = useNow(5_000);
  return <Time moment={moment}>{relative(moment, now, zone)}</Time>;
}

interface DayTimeProps extends TimeProps {
  withSeconds?: boolean;
  /** Zone of what is shown, where that is not the reader's. */
  in?: string;
}

/** Day and time of day, "today, 14:02". */
export function DayTime({ time, withSeconds = false, in: other }: DayTimeProps) {
  const own = useZone();
  const zone = other ?? own;
  const moment = typeof time === 'number' ? time : at(time);
  const now = useNow(60_000);
  const text = withSeconds
    ? `${day(moment, now, zone)}, ${clock(moment, zone, true)}`
    : dayAndTime(moment, now, zone);
  return <Time moment={moment}>{text}</Time>;
}

/** Time of day, "14:02:11". */
export function ClockTime({ time, withSeconds = false }: TimeProps & { withSeconds?: boolean }) {
  const zone = useZone();
  const moment = typeof time === 'number' ? time : at(time);
  return <Time moment={moment}>{clock(moment, zone, withSeconds)}</Time>;
}

/**
 * Time since a moment, counting: "14 min". Of what is not observed any more it counts until it last was: "14 min when last
 * observed".
 */
export function Since(props: TimeProps & { /** Milliseconds. */ until?: number | null }) {
  const { time, until = null } = props;
  const moment = typeof time === 'number' ? time : at(time);
  const now = useNow();
  const text = duration(Math.max(0, (until ?? now) - moment));
  return <Time moment={moment}>{until === null ? text : words.time.untilSeen(text)}</Time>;
}

function Time({ moment, children }: { moment: number; children: ReactNode }) {
  const zone = useZone();
  return (
    <time dateTime={new Date(moment).toISOString()} title={absolute(moment, zone)}>
      {children}
    </time>
  );
}

/**
 * How long an incident is open; while its monitor is not observed, how long it was when it last was. Nothing is known of the
 * time in which the monitor is paused.
 */
export function OpenFor(props: { incident: Pick<Incident, 'started_at' | 'monitor_id'> }) {
  const {
    incident: { started_at, monitor_id },
  } = props;
  const { summary } = useSummary(monitor_id);
  if (summary?.is_paused === true) return words.status.paused.toLowerCase();
  const until = summary?.observed_until;
  return <Since time={started_at} until={until === undefined ? null : until * 1_000} />;
}
