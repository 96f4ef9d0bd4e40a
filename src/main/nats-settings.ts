import type { Config } from '../config/config.ts';
import type { NatsSettings } from '../engine/bus/nats/connection.ts';

/** How to reach NATS by the settings, which name a server. */
export function natsSettings(settings: Config): NatsSettings {
  return {
    urls: settings.natsUrls ?? [],
    credentials: settings.natsCredentials,
    nkey: settings.natsNkey,
    tlsCa: settings.natsTlsCa,
    tlsCert: settings.natsTlsCert,
    tlsKey: settings.natsTlsKey,
  };
}
