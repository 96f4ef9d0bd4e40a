import {
  countKeyUse,
  findMissingKeys,
  firstKeySince,
  forgetUnusedKeys,
  usesText,
  type KeyUse,
  createKeyRing,
  type KeyRing,
} from '../identity/key-ring.ts';
import { sealedFormOf, startBinding } from '../store/database/bound-secrets.ts';
import { isoTime } from '../resources/common/time.ts';
import { CommandError, textOption, type DatabaseCommand } from './command.ts';
import { rotateSecrets } from './secret-rotation.ts';
import { rehashSubscribers } from './subscriber-hashes.ts';
import { formatTable } from './table.ts';

/** Longest validity of what a key signs: a link of an alert. Sessions end after 7 days. */
export const SIGNED_MS = 14 * 24 * 3_600_000;
/** Time between two lines of progress. */
const PROGRESS_MS = 1_000;

export const secretsStatus: DatabaseCommand['run'] = async ({ database, keys }, given, output) => {
  const ring = createKeyRing(await keys());
  const uses = await countKeyUse(database.scan, ring);
  const unused = ring.ids
    .map((id, position) => ({ id, position, values: [], total: 0, unbound: 0 }))
    .filter(({ id }) => !uses.some((use) => use.id === id));
  const shown = [...uses, ...unused];
  if (given.options['json'] === true) {
    const list = shown.map(({ id, position, values, total, unbound }) => ({
      key: id,
      in_secret_key: position !== -1,
      encrypts: position === 0,
      total,
      not_bound: unbound,
      values,
    }));
    return output.out(`${JSON.stringify(list, null, 2)}\n`);
  }
  const rows = shown.map((use) => [
    use.id,
    placeOf(use),
    String(use.total),
    String(use.unbound),
    use.total === 0 ? 'nothing' : usesText(use),
  ]);
  await output.out(formatTable(['KEY', 'IN SECRET_KEY', 'VALUES', 'NOT BOUND', 'NEEDED BY'], rows));
  const unbound = unboundOf(uses);
  if (unbound > 0) await output.note(bindingHint(unbound));
};

export const secretsRotate: DatabaseCommand['run'] = async (
  { database, clock, keys },
  given,
  output,
) => {
  const ring = createKeyRing(await keys());
  const [first] = ring.ids;
  requireFirstKey(ring, textOption(given, 'key'));
  await findMissingKeys(database, ring, clock.now());
  if (given.options['bind'] === true) await startBinding(database);
  const binds = (await sealedFormOf(database.read)) === 'bound';
  const before = await countKeyUse(database.scan, ring);
  const others = sum(before.filter(({ position }) => position > 0));
  const unbound = binds ? unboundOf(before.filter(({ position }) => position === 0)) : 0;
  const todo = others + unbound;
  await output.out(
    `Encrypting with key ${first}: ${needText(others, 'need')} another key` +
      `${unbound > 0 ? `, and ${unbound} are not bound to their place` : ''}.\n`,
  );
  let shownAt = clock.now();
  const { changed, damaged } = await rotateSecrets(database, ring, async (done) => {
    if (clock.now() - shownAt < PROGRESS_MS) return;
    shownAt = clock.now();
    await output.note(`${done} of ${todo} values encrypted.`);
  });
  await rehashSubscribers(database, ring.keys);
  const after = await countKeyUse(database.scan, ring);
  await output.out(`Encrypted ${changed} ${changed === 1 ? 'value' : 'values'}. Values by key:\n`);
  const counted = [...after, ...removable(ring, after).map((id) => ({ id, total: 0 }))];
  for (const { id, total } of counted) await output.out(`  ${id}  ${total}\n`);
  const rest = after.filter(({ position }) => position !== 0);
  if (rest.length > 0) throw new CommandError(remainderText(rest, damaged));
  const left = unboundOf(after);
  if (binds && left > 0) throw new CommandError(unboundText(left, damaged));
  await forgetUnusedKeys(database, ring, after);
  const since = await firstKeySince(database.read, ring);
  await output.out(`${removalText(ring, since)}\n`);
  if (left > 0) await output.out(`${bindingHint(left)}\n`);
};

/** Such as `1 value needs`, `2 values still need`. */
function needText(count: number, verb: 'need' | 'still need'): string {
  return count === 1 ? `1 value ${verb}s` : `${count} values ${verb}`;
}

function placeOf({ position }: KeyUse): string {
  if (position === 0) return 'first: encrypts';
  return position > 0 ? 'yes' : 'MISSING';
}

function sum(uses: readonly KeyUse[]): number {
  return uses.reduce((total, use) => total + use.total, 0);
}

function unboundOf(uses: readonly KeyUse[]): number {
  return uses.reduce((total, use) => total + use.unbound, 0);
}

function bindingHint(unbound: number): string {
  return (
    `Not bound to their place: ${unbound}. Who writes to the database could put one in the place of another. ` +
    'Once all processes run this release, and none of a release before will be started again, run "secrets rotate --bind".'
  );
}

function unboundText(unbound: number, damaged: number): string {
  const advice =
    damaged > 0
      ? damagedText(damaged)
      : 'They were written meanwhile by a process that does not bind yet: restart the servers, and run this again.';
  return `Not bound to their place: ${unbound}. ${advice}`;
}

function damagedText(damaged: number): string {
  return `Damaged, so that they can't be read: ${damaged}. Enter these secrets again.`;
}

function requireFirstKey({ ids }: KeyRing, wanted: string | null): void {
  if (wanted === null || wanted === ids[0]) return;
  throw new CommandError(
    `The server encrypts with key ${ids[0]}, and ${wanted} was asked for: nothing was changed. ` +
      'Restart the server with the new SECRET_KEY first, and use the same SECRET_KEY here.',
  );
}

/** Keys after the first one that no stored value needs. */
function removable({ ids }: KeyRing, uses: readonly KeyUse[]): string[] {
  return ids.slice(1).filter((id) => !uses.some((use) => use.id === id));
}

function remainderText(rest: readonly KeyUse[], damaged: number): string {
  const lines = rest.map((use) => `  ${use.id} (${placeOf(use)}): ${usesText(use)}`);
  const hints = [
    ...(rest.some(({ position }) => position === -1)
      ? ['Add the missing key to SECRET_KEY after a comma, restart the server, and run this again.']
      : []),
    ...(rest.some(({ position }) => position > 0)
      ? [
          damaged > 0
            ? damagedText(damaged)
            : 'They were written meanwhile by a process with the former SECRET_KEY: restart it with the new one, and run this again.',
        ]
      : []),
  ];
  return `${needText(sum(rest), 'still need')} another key:\n${lines.join('\n')}\n${hints.join('\n')}`;
}

function removalText(ring: KeyRing, since: number | null): string {
  const done = `0 values need another key than ${ring.ids[0]}.`;
  if (ring.ids.length === 1) return done;
  const olds = ring.ids.slice(1);
  const named = olds.length === 1 ? `key ${olds[0]}` : `keys ${olds.join(', ')}`;
  const until =
    since === null
      ? 'for 14 days after the new key came first'
      : `until ${isoTime(since + SIGNED_MS)}`;
  return (
    `${done} You can remove ${named} from SECRET_KEY, and restart the server.\n` +
    `Sessions and links in messages from before may be signed with it: to keep these valid, keep it ${until}.`
  );
}
