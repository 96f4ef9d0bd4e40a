import { generateKeyPairSync } from 'node:crypto';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { Database } from '../../store/database/contract.ts';
import { WEB_PUSH_SETTING } from '../../store/database/sealed-columns.ts';
import { claimSetting, readSetting } from '../../store/database/settings.ts';

type KeyPair = ReturnType<typeof makeKeyPair>;

/**
 * Identifies this installation to push services (RFC 8292). The key pair is created on first use and kept, sealed: with
 * another one all browsers would have to subscribe again. Reading it throws SecretUnreadable.
 */
export function createVapid(dependencies: {
  database: Database;
  secretBox: SecretBox;
  /** Contact for push services: a `mailto:` or https URL. */
  contact: () => string;
  makeKeys?: () => KeyPair;
}) {
  const { database, secretBox, contact, makeKeys = makeKeyPair } = dependencies;
  const secrets = secretBox.of('setting', WEB_PUSH_SETTING);
  let known: KeyPair | null = null;

  async function pair(): Promise<KeyPair> {
    if (known !== null) return known;
    let sealed = await readSetting(database.read, WEB_PUSH_SETTING);
    if (sealed === null) {
      const made = secrets.seal(JSON.stringify(makeKeys()), 'value');
      // If two processes create one at once, both use the pair that was written first.
      sealed = await database.transaction(async (tx) => {
        await claimSetting(tx, WEB_PUSH_SETTING, made);
        return readSetting(tx, WEB_PUSH_SETTING);
      });
    }
    known = JSON.parse(secrets.open(sealed!, 'value')) as KeyPair;
    return known;
  }

  return {
    async keys() {
      return { ...(await pair()), subject: contact() };
    },
    /** The key that browsers subscribe with: an uncompressed point of P-256 in base64url. */
    async publicKey() {
      return (await pair()).publicKey;
    },
  };
}

function makeKeyPair() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '', d = '' } = privateKey.export({ format: 'jwk' });
  const point = [Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
  return { publicKey: Buffer.concat(point).toString('base64url'), privateKey: d };
}

/**
 * Contact for push services: the sender of mails, else an https BASE_URL, else an address at its host.
 *
 * @param mailFrom as MAIL_FROM: an address, or `Name <address>`.
 */
export function contactOf(mailFrom: string | null, baseUrl: string): string {
  if (mailFrom !== null) return `mailto:${/<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom}`;
  const { protocol, hostname, origin } = new URL(baseUrl);
  return protocol === 'https:' ? origin : `mailto:tocsin@${hostname}`;
}
