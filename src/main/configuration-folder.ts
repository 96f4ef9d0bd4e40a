import { describeSettings, type Config } from '../config/config.ts';
import { createFollowedFolder } from '../configuration/folder/followed-folder.ts';
import { createFolderReader } from '../configuration/folder/reader.ts';
import { watchFolder } from '../configuration/folder/watch.ts';
import type { Log } from '../lib/log.ts';
import type { LocalConfiguration } from '../operator/command.ts';
import { isUnavailable } from '../store/database/errors.ts';
import { clock } from './clock.ts';

export type ConfigurationFolder = ReturnType<typeof createConfigurationFolder>;

/** Configuration stage: keeps the team CONFIG_TEAM as the files of CONFIG_DIR say. */
export function createConfigurationFolder(
  { settings, log }: { settings: Config; log: Log },
  configuration: LocalConfiguration,
) {
  const { configDir, configTeam: team } = settings;
  const reader = createFolderReader();
  const followed = createFollowedFolder({
    folder: configDir!,
    environment: variablesOfOthers(process.env),
    read: reader.read,
    watch: watchFolder,
    plan: (body) => configuration.plan(team, body),
    apply: (body, fingerprint) => configuration.apply(team, body, `"${fingerprint}"`),
    isUnavailable,
    clock,
    log,
  });
  return {
    ...followed,
    async stop() {
      reader.stop();
      await followed.stop();
    },
  };
}

/** The environment without the settings of Tocsin: people who write files could send its secrets to a URL of theirs. */
export function variablesOfOthers(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const own = new Set(describeSettings().flatMap(({ name }) => [name, `${name}_FILE`]));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !own.has(name)));
}
