import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { createJob } from '../../../test/support/jobs.ts';
import type { IncidentChange } from '../../model/incident.ts';
import { applyIncidentChanges } from './record.ts';

const NOW = Date.UTC(2030, 0, 1);

eachDatabase((engine, open) => {
  test('the log of an incident that goes on and on ends at a thousand lines [21.40]', async () => {
    const database = await open();
    const { id: monitorId } = await createJob(database, NOW);
    const base = {
      monitorId,
      teamId: 1,
      type: 'heartbeat',
      condition: 'heartbeat',
      at: NOW,
      status: { previous: 'offline', current: 'offline' },
    } as const;
    const opening: IncidentChange = {
      ...base,
      kind: 'open',
      severity: 'critical',
      rootCause: 'The job reported a failure',
      failureCode: 'job_failed',
      regions: null,
      evidence: [],
      from: null,
    };
    const notes = Array.from({ length: 1_005 }, (_, index): IncidentChange => {
      return {
        ...base,
        kind: 'note',
        activity: 'failed_again',
        text: `The job ended with exit code ${index}`,
      };
    });
    await database.transaction((tx) => applyIncidentChanges(tx, [opening, ...notes], NOW));

    const log = await database.read
      .selectFrom('activity')
      .select(['type', 'description'])
      .orderBy('id')
      .execute();
    expect(log).toHaveLength(1_000);
    expect(log[0]!.type).toBe('opened');
    expect(log[1]).toEqual({
      type: 'failed_again',
      description: 'The job ended with exit code 0.',
    });
    const events = await database.read.selectFrom('event').select('type').execute();
    expect(events).toEqual([{ type: 'monitor.heartbeat_missed' }]);
  });

  test('an opening sends the ends of incidents that people closed before, first', async () => {
    const database = await open();
    const { id: monitorId } = await createJob(database, NOW);
    const opening = (closedByHand?: { id: number; startedAt: number }[]): IncidentChange => ({
      monitorId,
      teamId: 1,
      type: 'heartbeat',
      condition: 'heartbeat',
      at: NOW,
      status: { previous: 'offline', current: 'offline' },
      kind: 'open',
      severity: 'critical',
      rootCause: 'The job reported a failure',
      failureCode: 'job_failed',
      regions: null,
      evidence: [],
      from: null,
      ...(closedByHand && { closedByHand }),
    });
    const apply = (change: IncidentChange) =>
      database.transaction((tx) => applyIncidentChanges(tx, [change], NOW));
    await apply(opening());
    await database.transaction((tx) => tx.updateTable('incident').set({ ended_at: NOW }).execute());
    await apply(opening([{ id: 1, startedAt: NOW }]));
    const events = await database.read
      .selectFrom('event')
      .select(['incident_id', 'kind', 'type'])
      .orderBy('id')
      .execute();
    expect(events).toEqual([
      { incident_id: 1, kind: 'open', type: 'monitor.heartbeat_missed' },
      { incident_id: 1, kind: 'resolve', type: 'monitor.heartbeat_recovered' },
      { incident_id: 2, kind: 'open', type: 'monitor.heartbeat_missed' },
    ]);
  });
});
