import type { Clock } from '../../lib/clock.ts';
import { KeepAliveConnections } from '../../net/keep-alive.ts';

/** Longer than an idle connection stays open. */
const FORGET_MS = 10_000;

/** Connections of webhook endpoints, by destination: no two endpoints ever share one. */
export function createEndpointConnections(clock: Pick<Clock, 'monotonic'>) {
  const kept = new Map<number, { connections: KeepAliveConnections; usedAt: number }>();

  return {
    of(destinationId: number): KeepAliveConnections {
      const { connections } = kept.get(destinationId) ?? {
        connections: new KeepAliveConnections(),
      };
      // At the end of the map: the ones used longest ago come first.
      kept.delete(destinationId);
      kept.set(destinationId, { connections, usedAt: clock.monotonic() });
      return connections;
    },
    /** Forgets endpoints that nothing was sent to for a while. */
    closeIdle(): void {
      const before = clock.monotonic() - FORGET_MS;
      for (const [id, { connections, usedAt }] of kept) {
        if (usedAt > before) return;
        connections.close();
        kept.delete(id);
      }
    },
    closeAll(): void {
      for (const { connections } of kept.values()) connections.close();
      kept.clear();
    },
  };
}
