import type { Vote } from '../../model/check.ts';
import type { Bus } from './contract.ts';

export type VoteCounts = Record<Vote, number>;

/** Wraps a bus and counts its results by vote. */
export function countVotes(bus: Bus, counts: VoteCounts): Bus {
  return {
    async check(region, request) {
      const result = await bus.check(region, request);
      counts[result.vote]++;
      return result;
    },
    inspect: (request) => bus.inspect(request),
    lastSeen: (region) => bus.lastSeen(region),
    vantageOf: (region) => bus.vantageOf(region),
    close: () => bus.close(),
  };
}
