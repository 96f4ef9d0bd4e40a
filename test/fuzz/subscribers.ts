import { createSecretBox } from '../../src/lib/secret-box.ts';
import { subscriberChanges } from '../../src/store/resources/subscribers.ts';
import type { TestApi } from '../support/api.ts';
import { insertPage } from '../support/status-pages.ts';
import type { Pool } from './pool.ts';

const box = createSecretBox(['a key for tests']);
let made = 0;

/** Ensures that each team has a page with subscribers, whatever was deleted, and a domain to verify. */
export async function reviveSubscribers(api: TestApi, pool: Pool): Promise<void> {
  const now = api.clock.now();
  for (const [{ teamId }, side] of [
    [api.alice, 'ours'],
    [api.mallory, 'theirs'],
  ] as const) {
    made += 1;
    const pageId = await insertPage(api.database, {
      team_id: teamId,
      slug: `revived-${made}`,
      custom_domain: `revived-${made}.example.com`,
      domain_token: 'a-token',
    });
    pool.know('status-pages', pageId, side);
    for (const name of ['a', 'b', 'c']) {
      const subscriber = {
        page_id: pageId,
        // Mailboxes: the number of webhooks and Slack channels of a team is limited.
        kind: 'email' as const,
        address: box.of('subscriber', pageId).seal(`${name}@example.com`, 'address'),
        address_hash: name,
        monitors: '[]',
        confirmed_at: now,
        confirm_until: null,
        created_by: null,
        signing_secret: null,
      };
      const id = await api.database.transaction((tx) =>
        subscriberChanges(tx).insert(teamId, subscriber, now),
      );
      pool.know('status-pages with subscribers', pageId, side);
      pool.know('subscribers of status-pages', id, side);
    }
  }
}
