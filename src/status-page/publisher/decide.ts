import type { Decision, PublishingFacts } from './facts.ts';
import { decideIncidents } from './decide-incidents.ts';
import { decideMaintenance } from './decide-maintenance.ts';

/** Decides what is published for a team, and when to decide again (epoch ms). */
export function decide(facts: PublishingFacts, now: number): Decision {
  const [incidents, maintenance] = [decideIncidents(facts, now), decideMaintenance(facts, now)];
  const nextAt = Math.min(incidents.nextAt ?? Infinity, maintenance.nextAt ?? Infinity);
  return {
    changes: [...incidents.changes, ...maintenance.changes],
    nextAt: nextAt === Infinity ? null : nextAt,
  };
}
