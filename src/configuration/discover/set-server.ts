import type { ConfigurationDocument, ConfigurationItem } from '../document.ts';
import type { ApplyAnswer, DiscoveryDependencies } from './discovery.ts';

/** What discovery asks a server: the operations of configuration sets, with their answers. */
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

/** How a set is applied by a server, and known again after a restart. */
export function appliedBy(
  server: SetServer,
  { name, maxDeletions, deletesHistory }: ApplyOptions,
): Pick<DiscoveryDependencies, 'known' | 'apply'> {
  return {
    async known() {
      const { data } = (await server.items()) as { data: OwnedItem[] };
      const own = data.filter(({ set }) => set === name);
      if (own.length === 0) return null;
      // It has what no set owns as well.
      const { document } = (await server.export(name)) as { document: ConfigurationDocument };
      const keys = new Set(own.map(({ section, key }) => `${section} ${key}`));
      const ownOf = (section: 'groups' | 'monitors'): ConfigurationItem[] =>
        (document[section] ?? []).filter(({ key }) => keys.has(`${section} ${key}`));
      return { name, groups: ownOf('groups'), monitors: ownOf('monitors') };
    },
    async apply(document): Promise<ApplyAnswer> {
      try {
        const { changes } = (await server.apply({
          document,
          prune: true,
          max_deletions: maxDeletions,
          delete_history: deletesHistory,
        })) as { changes: unknown[] };
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
