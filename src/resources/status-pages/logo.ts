import { createHash } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Caller, Permission } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import { createChildJobs, JobEnded, type ChildJobs } from '../../lib/child-jobs.ts';
import type { CleanedImage, SentImage } from '../../status-page/text/clean-image.ts';
import { imageTypeOf, type ImageType } from '../../status-page/text/image.ts';
import { MAX_SIDE } from '../../status-page/text/png.ts';
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

import type { Call } from '../common/operation.ts';

const MAX_LOGO_BYTES = 512 * 1024;
/** Characters of base64, with room for line breaks. */
const MAX_BASE64 = Math.ceil(MAX_LOGO_BYTES / 3) * 4 + 20_000;

export const logoInput = z.object({
  content: z
    .string({ error: 'must be an image as base64' })
    .max(MAX_BASE64, { error: tooLarge() })
    .meta({
      override: { type: 'string', minLength: 1, maxLength: MAX_BASE64, contentEncoding: 'base64' },
      description:
        'A PNG, JPEG or SVG file as base64, at most 512 KiB and 4,096 pixels a side. Everything but shapes is removed from SVG, and everything but pixels from the others.',
    }),
});

interface Logo {
  type: ImageType;
  bytes: Uint8Array;
  hash: string;
}

/** Cleans the images that people send, in child processes. */
export type ImageJobs = ChildJobs<SentImage, CleanedImage>;

/** An image of 4,096 pixels a side takes two seconds. */
const DEADLINE_MS = 20_000;
/** Outside of it are the pixels. */
const HEAP_MIB = 96;

/** Creates the jobs that clean images. */
export function createImageJobs(): ImageJobs {
  const program = new URL('../../status-page/text/image-program.ts', import.meta.url);
  return createChildJobs({ program, heapMiB: HEAP_MIB, deadlineMs: DEADLINE_MS });
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
  {
    database,
    clock,
    imageJobs,
  }: {
    database: Pick<Database, 'read'>;
    clock: Pick<Clock, 'now'>;
    imageJobs: Pick<ImageJobs, 'run'>;
  },
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

  /** An image that ends the process which reads it is damaged, whatever it is. */
  async function clean(teamId: number, image: SentImage): Promise<CleanedImage> {
    try {
      return await imageJobs.run(teamId, image);
    } catch (error) {
      if (error instanceof JobEnded) return 'damaged';
      throw error;
    }
  }

  return {
    async setStatusPageLogo({ caller, id, body }: Call) {
      authorize(caller, 'update', 'editor');
      await mustFind(database.read, caller, id);
      const { content } = readBody(logoInput, body);
      if (content == null) throw invalidField('content', 'is required: send an image as base64');
      const { type, bytes: sent } = imageIn(content);
      const cleaned = await clean(caller.team.id, { type, bytes: sent });
      if (typeof cleaned === 'string') throw invalidField('content', FAULTS[cleaned]);
      const hash = createHash('sha256').update(cleaned).digest('base64url');
      return replace(caller, id, { type, bytes: cleaned, hash });
    },
    async deleteStatusPageLogo({ caller, id }: Call) {
      await replace(caller, id, null);
    },
  };
}

const mustFind = finderOf('status page', findStatusPage);
const mustLock = finderOf('status page', lockStatusPage);

/** Reads an image; throws InvalidInput for one that is none or too large. */
function imageIn(content: string): SentImage {
  const base64 = content.replace(/^data:image\/[a-z+]+;base64,/, '').replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64))
    throw invalidField('content', 'must be an image as base64');
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > MAX_LOGO_BYTES) throw invalidField('content', tooLarge());
  const type = imageTypeOf(bytes);
  if (type === null) throw invalidField('content', 'must be a PNG, JPEG or SVG file');
  return { type, bytes };
}

function tooLarge(): string {
  return `must be an image of at most ${MAX_LOGO_BYTES / 1024} KiB`;
}

const FAULTS: Record<Extract<CleanedImage, string>, string> = {
  damaged: 'must be a whole PNG or JPEG file',
  'too many pixels': `must have at most ${MAX_SIDE} pixels a side`,
  'too large': 'has too many details: send it with fewer pixels',
  'no shapes': 'must be an SVG file that holds shapes',
};
