import type { Config } from '../config/config.ts';
import { Discovery } from '../configuration/discover/discovery.ts';
import { FollowedSet } from '../configuration/discover/followed-set.ts';
import { openSource } from '../configuration/discover/open-source.ts';
import { appliedBy } from '../configuration/discover/set-server.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { LocalConfiguration } from '../operator/command.ts';

export type Discoveries = ReturnType<typeof createDiscoveries>;

const HOUR_MS = 3_600_000;

/** Discovery stage: keeps the monitors of what Docker and Kubernetes have. */
export function createDiscoveries(
  { settings, clock, log }: { settings: Config; clock: Clock; log: Log },
  configuration: LocalConfiguration,
) {
  const { discoverTeam: team, discoverKeepHours } = settings;
  const { discoverMaxDeletions: maxDeletions, discoverDeleteHistory: deletesHistory } = settings;
  const server = {
    apply: (body: object) => configuration.apply(team, body, null),
    export: (name: string) => configuration.export(team, name),
    items: () => configuration.items(team),
  };
  const all = (settings.discover ?? []).map(({ kind, name }) => ({
    name,
    discovery: new Discovery({
      source: openSource(kind, settings, clock),
      set: new FollowedSet({ name, keepMs: discoverKeepHours * HOUR_MS }),
      ...appliedBy(server, { name, maxDeletions, deletesHistory }),
      clock,
      log,
      random: Math.random,
    }),
  }));
  return {
    /** Names of the sets whose source can't be read, or that can't be applied. */
    failing: () =>
      all.filter(({ discovery }) => discovery.failing() !== null).map(({ name }) => name),
    start: () => all.forEach(({ discovery }) => discovery.start()),
    /** Never rejects. */
    stop: () => Promise.all(all.map(({ discovery }) => discovery.stop())),
  };
}
