import type { LoadedChannel } from '../../store/alerting/deliveries.ts';
import type { Database } from '../../store/database/contract.ts';
import { confirmedAddresses } from '../../store/people/accounts.ts';
import type { ChannelSettings } from '../channels/index.ts';

/**
 * Leaves out the addresses of a team's e-mail channel that no active member has confirmed. With open sign-up anybody can
 * make a team, and its alerts must not be mailed to people who never agreed to it.
 *
 * @returns the settings, or a sentence that says why nothing is sent.
 */
export async function onlyMemberAddresses(
  database: Pick<Database, 'read'>,
  { channel }: Pick<LoadedChannel, 'channel'>,
  settings: ChannelSettings,
): Promise<ChannelSettings | string> {
  const { addresses } = settings;
  if (channel.type !== 'email' || channel.team_id === null || !Array.isArray(addresses))
    return settings;
  const confirmed = await confirmedAddresses(database.read, {
    personId: null,
    teamId: channel.team_id,
  });
  const members = addresses.filter((address) => confirmed.has(address.toLowerCase()));
  if (members.length > 0) return { ...settings, addresses: members };
  return 'No address of this channel is the confirmed address of a member of the team: nothing is sent there until it is.';
}
