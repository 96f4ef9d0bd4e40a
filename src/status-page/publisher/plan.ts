import type { Plan, PublishingFacts } from './facts.ts';
import { planIncidents } from './plan-incidents.ts';
import { planMaintenance } from './plan-maintenance.ts';

/** Decides what is published for a team, and when to decide again (epoch ms). */
export function plan(facts: PublishingFacts, now: number): Plan {
  const [incidents, maintenance] = [planIncidents(facts, now), planMaintenance(facts, now)];
  const nextAt = Math.min(incidents.nextAt ?? Infinity, maintenance.nextAt ?? Infinity);
  return {
    changes: [...incidents.changes, ...maintenance.changes],
    nextAt: nextAt === Infinity ? null : nextAt,
  };
}
