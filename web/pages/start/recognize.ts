import type { MonitorSettings } from '../../app/api.gen.ts';
import { withScheme } from '../check/reach.ts';

/** Word for a job that calls in. */
const JOB = /^(job|heartbeat|cron)$/i;
const PORT = /^(?:tcp:\/\/)?(\[[0-9a-f:]+\]|[^\s:/]+):(\d{1,5})$/i;
const SCHEME = /^https?:\/\//i;
/** Name or address without a path: a bare domain is meant as a website, everything else is pinged. */
const DOMAIN = /^(?:[a-z0-9-]+\.)+[a-z]{2,}$/i;
const IP = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f:]*:[0-9a-f:]+)$/i;
const HOST = /^[a-z0-9-]+$/i;

/** Seconds between the pings of a job that is watched without further settings. */
const JOB_EVERY_S = 3_600;

/**
 * Settings for what people type into one field: a URL, `host:port`, `ping host`, a host name or address, or the word "job".
 * A bare domain such as example.com is watched as a website. What is not recognized is sent as a URL, for the API to say what is
 * wrong with it.
 *
 * @param jobName name of a job that has none
 * @param check_interval minutes between checks
 */
export function recognize(text: string, jobName: string, check_interval: number): MonitorSettings {
  const trimmed = text.trim();
  if (JOB.test(trimmed)) {
    return {
      monitor_type: 'heartbeat',
      friendly_name: jobName,
      heartbeat_interval: JOB_EVERY_S,
      heartbeat_wait_for_first_ping: true,
    };
  }
  const pinged = /^ping\s+(\S+)$/i.exec(trimmed)?.[1];
  if (pinged !== undefined) return { monitor_type: 'ping', check_interval, url: pinged };
  if (SCHEME.test(trimmed)) return web(trimmed, check_interval);
  if (IP.test(trimmed)) return { monitor_type: 'ping', check_interval, url: trimmed };
  const port = PORT.exec(trimmed);
  if (port !== null) {
    return {
      monitor_type: 'port',
      check_interval,
      url: port[1]!.replace(/^\[|\]$/g, ''),
      port: Number(port[2]),
    };
  }
  if (DOMAIN.test(trimmed) || !HOST.test(trimmed)) return web(withScheme(trimmed), check_interval);
  return { monitor_type: 'ping', check_interval, url: trimmed };
}

function web(url: string, check_interval: number): MonitorSettings {
  return {
    monitor_type: 'http',
    check_interval,
    url,
    ...(url.toLowerCase().startsWith('https://') && { check_types: ['ssl'] }),
  };
}
