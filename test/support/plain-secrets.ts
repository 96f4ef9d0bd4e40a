import type { SecretBox } from '../../src/lib/secret-box.ts';

/** Leaves secrets as they are. */
export const PLAIN_SECRETS: SecretBox = {
  of: () => ({ seal: (text) => text, open: (text) => text }),
};
