import { EXAMPLE_ALERT_TOKEN } from '../../src/resources/alert-links/alert-links.ts';
import type { AlertLink, AlertLinks } from '../../src/alerting/message/index.ts';
import { storeAlert, storeChannel, storeNotified } from '../support/sent-alerts.ts';
import type { TestApi } from '../support/api.ts';

/** The token of the current link. */
export const ALERT_TOKEN = EXAMPLE_ALERT_TOKEN;

export interface FuzzedLinks extends Pick<AlertLinks, 'read'> {
  /**
   * Creates a link to a new alert of the open incidents in Alice's team, sent to a new channel, since callers delete
   * the old ones.
   */
  leave(api: TestApi): Promise<void>;
}

export function createFuzzedLinks(): FuzzedLinks {
  let link: AlertLink | null = null;
  return {
    read: (token) => (token === ALERT_TOKEN ? link : null),
    async leave({ database, clock, alice }) {
      const now = clock.now();
      const { teamId } = alice;
      const open = await database.read
        .selectFrom('incident')
        .select('id')
        .where('team_id', '=', teamId)
        .where('ended_at', 'is', null)
        .limit(3)
        .execute();
      const incidents = open.map(({ id }) => id);
      const alertId = await storeAlert(database, { teamId, incidents, now });
      const destinationId = await storeChannel(database, { teamId }, { now });
      await storeNotified(database, { alertId, destinationId, incidents }, now);
      link = { alertId, destinationId };
    },
  };
}
