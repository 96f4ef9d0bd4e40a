import { hostname } from 'node:os';
import { createLocalBus, type LocalBus } from '../engine/bus/local.ts';
import type { Config } from '../config/config.ts';
import { clock } from './clock.ts';
import type { Log } from '../lib/log.ts';
import { readVersion } from '../lib/version.ts';
import { createAddressGuard, parseAllowPrivateTargets } from '../net/address-guard.ts';
import { createHttpClient, type HttpClient } from '../net/http-client.ts';
import { createMailer, type Mailer } from '../net/mail.ts';
import { createResolver } from '../net/resolver.ts';
import { followDatabaseClock } from '../store/database/follow-clock.ts';

/** The ways in which the service reaches what is outside: targets, webhooks and channels, a mail server, and the time. */
export interface Outside {
  startProbes(settings: Config, log: Log): Promise<LocalBus>;
  /** Keeps the clock of this process close to that of a database that processes share. */
  followDatabaseClock: typeof followDatabaseClock;
  /** Client for webhooks and channels. */
  createHttpClient(settings: Config): HttpClient;
  createMailer(settings: Config, baseUrl: () => string): Mailer | null;
}

/** The network, as every installation reaches it. */
export const NETWORK: Outside = {
  startProbes: (settings, log) =>
    createLocalBus({
      regions: settings.probeRegions,
      vantage: settings.probeHostName ?? hostname(),
      version: readVersion(),
      workers: settings.probeWorkers,
      settings: {
        allowPrivateTargets: settings.allowPrivateTargets,
        dnsServers: settings.dnsServers,
        rdapBootstrapFile: settings.rdapBootstrapFile,
      },
      environment: process.env,
      clock,
      correctionMs: () => clock.correctionMs,
      log,
    }),

  followDatabaseClock,

  createHttpClient(settings) {
    const rule = parseAllowPrivateTargets(settings.allowPrivateTargets);
    if (!rule.ok) throw new Error(`ALLOW_PRIVATE_TARGETS: ${rule.message}`);
    return createHttpClient({
      resolver: createResolver({ clock, servers: settings.dnsServers }),
      guard: createAddressGuard(rule.value),
      clock,
    });
  },

  createMailer({ smtpUrl, mailFrom: from }, baseUrl) {
    return smtpUrl === null ? null : createMailer({ smtpUrl, from, baseUrl, clock });
  },
};
