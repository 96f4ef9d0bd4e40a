import { issueSetupToken, OWNER_SETTING, pendingSetupUntil } from '../identity/setup-token.ts';
import { auditTarget, OPERATOR } from '../model/audit.ts';
import { auditAs } from '../resources/audit-log/entry.ts';
import { isoTime } from '../resources/common/time.ts';
import { findAccount } from '../store/people/accounts.ts';
import { readSetting } from '../store/database/settings.ts';
import { CommandError, type DatabaseCommand } from './command.ts';

export const issueSetupLink: DatabaseCommand['run'] = async (
  { database, clock, baseUrl },
  _given,
  output,
) => {
  const now = clock.now();
  const { token, expiresAt } = await database.transaction(async (tx) => {
    const owner = await findAccount(tx, Number(await readSetting(tx, OWNER_SETTING)));
    if (owner === undefined || (await pendingSetupUntil(tx)) === null) {
      throw new CommandError(
        'Set-up is complete: sign in. "user reset-password EMAIL" creates a link to set a new password.',
      );
    }
    const target = auditTarget('person', { id: owner.id, name: owner.email });
    await auditAs(tx, OPERATOR, { verb: 'setup_link_issued', target, teamId: null }, now);
    return issueSetupToken(tx, now);
  });
  await output.out(
    `Link to complete set-up, valid once until ${isoTime(expiresAt)}:\n\n` +
      `  ${baseUrl()}/setup?token=${token}\n\n`,
  );
};
