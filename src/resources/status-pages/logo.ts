import { createHash } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Caller, Permission } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import { imageTypeOf, type ImageType } from '../../status-page/text/image.ts';
import { cleanSvg } from '../../status-page/text/svg.ts';
import type { Database } from '../../store/database/contract.ts';
import type { Schema } from '../../store/database/schema.ts';
import {
  findStatusPage,
  lockStatusPage,
  updateStatusPage,
} from '../../store/resources/status-pages.ts';
import { auditTarget } from '../../model/audit.ts';
import { audit } from '../audit-log/entry.ts';
import { authorize, invalidField } from '../common/errors.ts';
import { finderOf } from '../common/find.ts';
import { readBody } from '../common/input.ts';
import { imageSize } from './image-size.ts';

const MAX_LOGO_BYTES = 512 * 1024;
/** Longest side in pixels. */
const MAX_SIDE = 4_096;
/** Characters of base64, with room for line breaks. */
const MAX_BASE64 = Math.ceil(MAX_LOGO_BYTES / 3) * 4 + 20_000;

export const logoInput = z.object({
  content: z
    .string({ error: 'must be an image as base64' })
    .max(MAX_BASE64, { error: tooLarge() })
    .meta({
      override: { type: 'string', minLength: 1, maxLength: MAX_BASE64, contentEncoding: 'base64' },
      description:
        'A PNG, JPEG or SVG file as base64, at most 512 KiB and 4,096 pixels a side. Everything but shapes is removed from SVG.',
    }),
});

interface Logo {
  type: ImageType;
  bytes: Uint8Array;
  hash: string;
}

interface LogoTools {
  write<Value>(
    caller: Caller,
    permission: Permission,
    work: (tx: Transaction<Schema>) => Promise<Value>,
  ): Promise<Value>;
  show(db: Kysely<Schema>, caller: Caller, id: number): Promise<object>;
}

export function createLogoService(
  { database, clock }: { database: Pick<Database, 'read'>; clock: Pick<Clock, 'now'> },
  { write, show }: LogoTools,
) {
  function replace(caller: Caller, id: number, logo: Logo | null): Promise<object> {
    return write(caller, logo === null ? 'delete' : 'update', async (tx) => {
      const row = await mustLock(tx, caller, id);
      const hash = logo?.hash ?? null;
      if (row.logo_hash === hash) return show(tx, caller, id);
      const now = clock.now();
      const columns = { logo: logo?.bytes ?? null, logo_type: logo?.type ?? null, logo_hash: hash };
      await updateStatusPage(tx, id, columns, now);
      const change = {
        verb: 'updated',
        target: auditTarget('status_page', row),
        before: { logo: row.logo_hash },
        after: { logo: hash },
      };
      await audit(tx, caller, change, now);
      return show(tx, caller, id);
    });
  }

  return {
    async setLogo(caller: Caller, id: number, body: unknown) {
      authorize(caller, 'update', 'editor');
      await mustFind(database.read, caller, id);
      const { content } = readBody(logoInput, body);
      if (content == null) throw invalidField('content', 'is required: send an image as base64');
      return replace(caller, id, logoIn(content));
    },
    async deleteLogo(caller: Caller, id: number) {
      await replace(caller, id, null);
    },
  };
}

const mustFind = finderOf('status page', findStatusPage);
const mustLock = finderOf('status page', lockStatusPage);

/** Reads an image; throws InvalidInput for one that is none, is too large or holds nothing that may be shown. */
function logoIn(content: string): Logo {
  const base64 = content.replace(/^data:image\/[a-z+]+;base64,/, '').replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64))
    throw invalidField('content', 'must be an image as base64');
  const sent = Buffer.from(base64, 'base64');
  if (sent.length > MAX_LOGO_BYTES) throw invalidField('content', tooLarge());
  const type = imageTypeOf(sent);
  if (type === null) throw invalidField('content', 'must be a PNG, JPEG or SVG file');
  const bytes = type === 'image/svg+xml' ? cleaned(sent) : checked(sent, type);
  return { type, bytes, hash: createHash('sha256').update(bytes).digest('base64url') };
}

function cleaned(sent: Buffer): Buffer {
  const svg = cleanSvg(sent.toString('utf8'));
  if (svg === null) throw invalidField('content', 'must be an SVG file that holds shapes');
  return Buffer.from(svg);
}

function checked(sent: Buffer, type: Exclude<ImageType, 'image/svg+xml'>): Buffer {
  const size = imageSize(sent, type);
  if (size === null) throw invalidField('content', 'must be a whole PNG or JPEG file');
  if (size.width > MAX_SIDE || size.height > MAX_SIDE)
    throw invalidField('content', `must have at most ${MAX_SIDE} pixels a side`);
  return sent;
}

function tooLarge(): string {
  return `must be an image of at most ${MAX_LOGO_BYTES / 1024} KiB`;
}
