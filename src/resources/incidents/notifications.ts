import { z } from 'zod';
import { MAX_LISTED_INCIDENTS } from '../../alerting/message/index.ts';
import { isAtLeast, type Caller } from '../../identity/caller.ts';
import type { Database } from '../../store/database/contract.ts';
import {
  listIncidentNotifications,
  type IncidentNotificationRow,
} from '../../store/alerting/incident-notifications.ts';
import { findIncident } from '../../store/resources/incidents.ts';
import { viewDeliveryState } from '../common/delivery-view.ts';
import { finderOf } from '../common/find.ts';
import { readQuery } from '../common/input.ts';
import { pageOf, pagingOf, UNSORTED_PAGE_QUERY } from '../common/page.ts';
import type { Call } from '../common/operation.ts';

export const incidentNotificationsQuery = z.object(UNSORTED_PAGE_QUERY);

const mustFind = finderOf('incident', findIncident);

/**
 * Lists the messages about an incident that were sent to channels, newest first. Throws `not_found` for ids of other
 * teams, and InvalidInput for a wrong query.
 */
export function createListIncidentNotifications({ database }: { database: Database }) {
  return async ({ caller, id, query, address }: Call) => {
    const incident = await mustFind(database.read, caller, id);
    const paging = pagingOf(readQuery(incidentNotificationsQuery, query), 'created_at');
    const { rows, total } = await listIncidentNotifications(database.read, {
      teamId: caller.team.id,
      incidentId: id,
      confirmedAt: incident.created_at,
      listed: MAX_LISTED_INCIDENTS,
      offset: paging.offset,
      limit: paging.limit,
    });
    return pageOf(
      rows.map((row) => viewNotification(row, caller)),
      total,
      paging,
      address,
    );
  };
}

function viewNotification(row: IncidentNotificationRow, caller: Caller) {
  const isShown = mayReadChannel(row, caller);
  const { last_error: lastError, ...state } = viewDeliveryState(row);
  return {
    id: row.id,
    kind: row.kind,
    channel: {
      id: isShown ? row.channel_id : null,
      type: row.channel_type,
      name: isShown ? row.channel_name : null,
    },
    user: row.person_id === null ? null : { id: row.person_id, name: row.person_name },
    ...state,
    last_error: isShown ? lastError : null,
  };
}

/** Whether the lists of channels show this one to the caller: those of the team to admins, personal ones to their owner. */
function mayReadChannel({ person_id: personId }: IncidentNotificationRow, caller: Caller): boolean {
  return personId === null ? isAtLeast(caller.role, 'admin') : personId === caller.person.id;
}
