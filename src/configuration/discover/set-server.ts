import { listed } from '../../lib/text.ts';
import type { ConfigurationDocument } from '../document.ts';
import { DiscoveryError } from './discovered.ts';
import type { ApplyAnswer, DiscoveryDependencies } from './discovery.ts';

/** Operations of configuration sets that discovery needs, with the answers of the API. */
export interface SetServer {
  apply(body: object): Promise<unknown>;
  export(name: string): Promise<unknown>;
  /** What all sets of the team own. */
  items(): Promise<unknown>;
}

export interface ApplyOptions {
  /** Name of the set. */
  name: string;
  /** With more deletions at once, nothing is applied. */
  maxDeletions: number;
  /** Whether monitors whose time is over are deleted with their history: else they stay, paused, and belong to no set. */
  deletesHistory: boolean;
}

/**
 * Applies a set by a server, and reads back after a restart what was applied before.
 *
 * Where the set has monitors that neither this process nor one before it made, nothing is applied: another process writes the
 * same set from another source, and the two would take away what the other one makes.
 */
export function appliedBy(
  server: SetServer,
  { name, maxDeletions, deletesHistory }: ApplyOptions,
): Pick<DiscoveryDependencies, 'known' | 'apply'> {
  /** Places of what this process knows to be in the set. */
  let own: ReadonlySet<string> = new Set();

  async function owned(): Promise<string[]> {
    const { data } = (await server.items()) as { data: OwnedItem[] };
    return data.filter(({ set }) => set === name).map(placeOf);
  }

  return {
    async known() {
      own = new Set(await owned());
      if (own.size === 0) return null;
      // It has what no set owns as well.
      const { document } = (await server.export(name)) as { document: ConfigurationDocument };
      const ownOf = (section: 'groups' | 'monitors') =>
        (document[section] ?? []).filter(({ key }) => own.has(placeOf({ section, key })));
      return { name, groups: ownOf('groups'), monitors: ownOf('monitors') };
    },
    async apply(document): Promise<ApplyAnswer> {
      const wanted = (['groups', 'monitors'] as const).flatMap((section) =>
        (document[section] ?? []).map(({ key }) => placeOf({ section, key })),
      );
      const ours = new Set([...own, ...wanted]);
      const foreign = (await owned()).filter((place) => !ours.has(place));
      if (foreign.length > 0)
        throw new DiscoveryError(
          `Another process applies the set ${name}, too: it has ${listed(foreign, 3)}, which this one did not make. Give each source a name of its own.`,
        );
      // Its answer may be lost.
      own = ours;
      try {
        const { changes } = (await server.apply({
          document,
          prune: true,
          max_deletions: maxDeletions,
          delete_history: deletesHistory,
        })) as { changes: unknown[] };
        own = new Set(wanted);
        return { changes: changes.length, errors: {} };
      } catch (error) {
        const { errors } = error as { errors?: ApplyAnswer['errors'] };
        if (errors === undefined || Object.keys(errors).length === 0) throw error;
        return { changes: 0, errors };
      }
    },
  };
}

interface OwnedItem {
  set: string;
  section: string;
  key: string;
}

const placeOf = ({ section, key }: Pick<OwnedItem, 'section' | 'key'>) => `${section} ${key}`;
