import { z } from 'zod';
import { stateOf } from '../../engine/maintenance/window.ts';
import { nameText, wholeNumber } from '../../lib/schemas.ts';
import { occurrenceChanges } from '../../store/engine/maintenance.ts';
import { recordChange } from '../common/change.ts';
import { Problem } from '../common/errors.ts';
import { requestSchema } from '../common/fields.ts';
import { Findings, readBody } from '../common/input.ts';
import { noun } from '../common/operation.ts';
import { isoTime } from '../common/time.ts';
import { maintenanceWindows, occurrencesOf, scheduleNextRun } from './windows.ts';

const MINUTE_MS = 60_000;
/** Settings of windows that are started by one call, for a deploy. */
const STARTED = { name: 'Maintenance', minutes: 60, good_rounds: 5 };

const { description, monitors, groups, tags, good_rounds, announce } =
  maintenanceWindows.declared.fields;

const startInput = z.object({
  name: nameText(100)
    .nullish()
    .meta({ description: `\`${STARTED.name}\` unless set.` }),
  minutes: wholeNumber(1, 1_440, 'a whole number of minutes')
    .nullish()
    .meta({ description: `Minutes until its scheduled end; ${STARTED.minutes} unless set.` }),
  ...requestSchema({ description, monitors, groups, tags, announce }).shape,
  good_rounds: good_rounds.input.nullish().meta({
    description: `Ends it early once each of its monitors had this many good rounds in a row; ${STARTED.good_rounds} unless set. Null for none: it ends at its scheduled time.`,
  }),
});

const deploy = {
  ...maintenanceWindows.example,
  name: 'Release 4.2',
  description: null,
  starts_at: '2030-01-01T00:00:00.000Z',
  ends_at: '2030-01-01T00:20:00.000Z',
  rrule: null,
  timezone: 'UTC',
  monitors: [],
  good_rounds: 5,
  tags: ['shop'],
  status: 'active',
  active_until: '2030-01-01T00:20:00.000Z',
  next_starts_at: null,
  next_ends_at: null,
};

/** Maintenance that begins or ends now. */
export const maintenanceNow = noun('Maintenance', maintenanceWindows.create, {
  startMaintenance: {
    at: 'POST /maintenance-windows/start',
    summary: 'Start maintenance now',
    description:
      'Starts a window before a deploy. It ends after `minutes`, or earlier once its monitors have recovered.',
    body: startInput,
    answer: maintenanceWindows.answer,
    example: {
      body: { name: 'Release 4.2', minutes: 20, tags: ['shop'] },
      answer: deploy,
    },
    handle: (its, { caller, body }) =>
      its.write(caller, 'create', (scope) => {
        const findings = new Findings();
        const { name, minutes, ...asked } = readBody(startInput, body, findings);
        const started = {
          good_rounds: STARTED.good_rounds,
          ...asked,
          name: name ?? STARTED.name,
          starts_at: isoTime(scope.now),
          ends_at: isoTime(scope.now + (minutes ?? STARTED.minutes) * MINUTE_MS),
        };
        return its.add(scope, started, { verb: 'started', findings });
      }),
  },
  endMaintenance: {
    at: 'POST /maintenance-windows/:id/end',
    needs: 'update',
    summary: 'End maintenance now',
    description:
      'Ends the active occurrence; later ones still take place. 409 when the window is not active.',
    answer: maintenanceWindows.answer,
    refusals: ['conflict'],
    example: {
      id: 2,
      answer: { ...deploy, id: 2, status: 'over', active_until: null },
    },
    handle: (its, { caller, id }) =>
      its.write(caller, 'update', async (scope) => {
        const { tx, now } = scope;
        const row = await maintenanceWindows.find(tx, caller, id, 'lock');
        const { activeUntil } = stateOf(await occurrencesOf(tx, id, now), now);
        if (activeUntil === null)
          throw new Problem(
            'conflict',
            'This maintenance window is not active now: there is nothing to end. Delete it if it is no longer wanted.',
          );
        await occurrenceChanges(tx).endActive(id, now);
        await scheduleNextRun(tx, id, row.good_rounds, now);
        await occurrenceChanges(tx).releaseHeld(caller.team.id, now);
        const change = {
          verb: 'ended',
          target: maintenanceWindows.targetOf(row),
          before: { active_until: isoTime(activeUntil) },
          after: { active_until: isoTime(now) },
        };
        await recordChange(tx, caller, change, now);
        return its.show(scope, id);
      }),
  },
});
