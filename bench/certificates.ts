import { fileURLToPath } from 'node:url';

const FOLDER = new URL('../test/support/certificates/', import.meta.url);
const file = (name: string) => fileURLToPath(new URL(name, FOLDER));

/** PEM files of a certificate for localhost, and of the authority that signed it. */
export function certificates(): { certificate: { key: string; cert: string }; authority: string } {
  return {
    certificate: { key: file('server-key.pem'), cert: file('good.pem') },
    authority: file('authority.pem'),
  };
}
