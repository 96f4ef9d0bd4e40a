import { generateKeyPairSync } from 'node:crypto';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { Database } from '../../store/database/contract.ts';
import { WEB_PUSH_SETTING } from '../../store/database/sealed-columns.ts';
import { claimSetting, readSetting } from '../../store/database/settings.ts';

/** Identifies this installation to push services (RFC 8292). */
export interface Vapid {
  /** Creates the keys on first use. Throws SecretUnreadable. */
  keys(): Promise<{ publicKey: string; privateKey: string; subject: string }>;
  /** The key that browsers subscribe with: an uncompressed point of P-256 in base64url. Throws SecretUnreadable. */
  publicKey(): Promise<string>;
}

interface KeyPair {
  publicKey: string;
  privateKey: string;
}

interface VapidDependencies {
  database: Database;
  secretBox: SecretBox;
  /** Contact for push services: a `mailto:` or https URL. */
  contact: () => string;
  makeKeys?: () => KeyPair;
}

/**
 * Creates the key pair once and keeps it, sealed: with another one all browsers would have to subscribe again.
 */
export function createVapid(dependencies: VapidDependencies): Vapid {
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
    async publicKey() {
      return (await pair()).publicKey;
    },
  };
}

function makeKeyPair(): KeyPair {
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
