import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Caller } from '../../identity/caller.ts';
import { createChildJobs, JobEnded, type ChildJobs } from '../../lib/child-jobs.ts';
import type { Domains } from '../../status-page/domains.ts';
import type { CleanedImage, SentImage } from '../../status-page/text/clean-image.ts';
import { PAGE_IMAGES, type PageImage, type PageImageName } from '../../model/page-images.ts';
import { imagesOf, writePageImage } from '../../store/resources/page-facts.ts';
import { imageTypeOf } from '../../status-page/text/image.ts';
import { MAX_SIDE } from '../../status-page/text/png.ts';
import { recordChange } from '../common/change.ts';
import { invalidField, notFound, Problem } from '../common/errors.ts';
import { readBody } from '../common/input.ts';
import { noun, type Call } from '../common/operation.ts';
import { teamWriter } from '../common/team-writes.ts';
import { statusPages } from './status-pages.ts';

const MAX_IMAGE_BYTES = 512 * 1024;
/** Characters of base64, with room for line breaks. */
const MAX_BASE64 = Math.ceil(MAX_IMAGE_BYTES / 3) * 4 + 20_000;

const imageInput = z.object({
  content: z
    .string({ error: 'must be an image as base64' })
    .max(MAX_BASE64, { error: tooLarge() })
    .meta({
      override: { type: 'string', minLength: 1, maxLength: MAX_BASE64, contentEncoding: 'base64' },
      description:
        'A PNG, JPEG or SVG file as base64, at most 512 KiB and 4,096 pixels a side. Everything but shapes is removed from SVG, and everything but pixels from the others.',
    }),
});

type Image = PageImage & { bytes: Uint8Array };

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

type PageDeps = Parameters<typeof statusPages.create>[0];

interface PartDeps extends PageDeps {
  imageJobs: Pick<ImageJobs, 'run'>;
  domains: Pick<Domains, 'verify'>;
}

function createPartsOfPages(deps: PartDeps) {
  const { database, clock, imageJobs, domains } = deps;
  const write = teamWriter(database, 'editor');

  function replace(caller: Caller, id: number, name: PageImageName, image: Image | null) {
    return write(caller, image === null ? 'delete' : 'update', async (tx) => {
      const row = await statusPages.find(tx, caller, id, 'lock');
      const [former, hash] = [imagesOf(row)[name]?.hash ?? null, image?.hash ?? null];
      if (former !== hash) {
        const now = clock.now();
        await writePageImage(tx, row, name, image, now);
        const change = {
          verb: 'updated',
          target: statusPages.targetOf(row),
          before: { [name]: former },
          after: { [name]: hash },
        };
        await recordChange(tx, caller, change, now);
      }
      return statusPages.show(tx, caller, id, deps);
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

  async function set({ caller, id, body }: Call, name: PageImageName) {
    await statusPages.find(database.read, caller, id);
    const { content } = readBody(imageInput, body);
    if (content == null) throw invalidField('content', 'is required: send an image as base64');
    const { type, bytes: sent } = imageIn(content);
    if (name === 'social_image' && type === 'image/svg+xml')
      throw invalidField('content', 'must be a PNG or JPEG file: previews of links show no SVG');
    const cleaned = await clean(caller.team.id, { type, bytes: sent });
    if (typeof cleaned === 'string') throw invalidField('content', FAULTS[cleaned]);
    const hash = createHash('sha256').update(cleaned).digest('base64url');
    return replace(caller, id, name, { type, bytes: cleaned, hash });
  }

  return {
    setStatusPageLogo: (call: Call) => set(call, 'logo'),
    setStatusPageImage: (call: Call) => set(call, nameIn(call)),

    async deleteStatusPageLogo({ caller, id }: Call) {
      await replace(caller, id, 'logo', null);
    },
    async deleteStatusPageImage(call: Call) {
      await replace(call.caller, call.id, nameIn(call), null);
    },

    /** Looks for the record of the custom domain now. */
    async verifyStatusPageDomain({ caller, id }: Call) {
      const page = await statusPages.find(database.read, caller, id);
      if (page.custom_domain === null)
        throw new Problem('conflict', 'This page has no custom domain: set custom_domain first.');
      await domains.verify({ teamId: caller.team.id, id }, async (tx, before) => {
        const { domain_verified_at: at } = await statusPages.find(tx, caller, id);
        const change = {
          verb: 'domain_checked',
          target: statusPages.targetOf(before),
          before: { domain_verified: before.domain_verified_at !== null },
          after: { domain_verified: at !== null },
        };
        await recordChange(tx, caller, change, clock.now());
      });
      return statusPages.show(database.read, caller, id, deps);
    },
  };
}

/** The name of an image in the path. Throws `not_found` for another word. */
function nameIn(call: Call): PageImageName {
  const name = PAGE_IMAGES.find((one) => one === call.parameter('image'));
  if (name === undefined) throw notFound('image');
  return name;
}

/** Reads an image; throws InvalidInput for one that is none or too large. */
function imageIn(content: string): SentImage {
  const base64 = content.replace(/^data:image\/[a-z+]+;base64,/, '').replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64))
    throw invalidField('content', 'must be an image as base64');
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > MAX_IMAGE_BYTES) throw invalidField('content', tooLarge());
  const type = imageTypeOf(bytes);
  if (type === null) throw invalidField('content', 'must be a PNG, JPEG or SVG file');
  return { type, bytes };
}

function tooLarge(): string {
  return `must be an image of at most ${MAX_IMAGE_BYTES / 1024} KiB`;
}

const FAULTS: Record<Extract<CleanedImage, string>, string> = {
  damaged: 'must be a whole PNG or JPEG file',
  'too many pixels': `must have at most ${MAX_SIDE} pixels a side`,
  'too large': 'has too many details: send it with fewer pixels',
  'no shapes': 'must be an SVG file that holds shapes',
};

/** A PNG file of one pixel. */
export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** The images of a status page, and its custom domain. */
export const partsOfStatusPages = noun('Status pages', createPartsOfPages, {
  setStatusPageLogo: {
    at: 'PUT /status-pages/:id/logo',
    summary: 'Set the logo of a status page',
    body: imageInput,
    answer: statusPages.answer,
    example: {
      body: { content: PIXEL },
      answer: {
        ...statusPages.example,
        logo_url: 'https://up.example.com/status/acme-status/logo?v=hY0kOyfc',
      },
    },
  },
  deleteStatusPageLogo: {
    at: 'DELETE /status-pages/:id/logo',
    summary: 'Remove the logo of a status page',
  },
  setStatusPageImage: {
    at: 'PUT /status-pages/:id/images/:image',
    summary: 'Set an image of a status page',
    description:
      'The logo, the logo for dark paper, the icon of the tab, or the picture that other programs show with a link to the page, best of 1,200 × 630 pixels; that one is a PNG or JPEG file.',
    words: { image: z.enum(PAGE_IMAGES) },
    body: imageInput,
    answer: statusPages.answer,
    example: {
      path: { image: 'favicon' },
      body: { content: PIXEL },
      answer: {
        ...statusPages.example,
        favicon_url: 'https://up.example.com/status/acme-status/favicon?v=hY0kOyfc',
      },
    },
  },
  deleteStatusPageImage: {
    at: 'DELETE /status-pages/:id/images/:image',
    summary: 'Remove an image of a status page',
    words: { image: z.enum(PAGE_IMAGES) },
    example: { path: { image: 'favicon' } },
  },
  verifyStatusPageDomain: {
    at: 'POST /status-pages/:id/verify-domain',
    needs: 'update',
    summary: 'Verify the custom domain now',
    description:
      'Looks for the records of `domain.records`. This also happens by itself: within minutes after a domain was set, for 7 days. 409 without a custom domain.',
    answer: statusPages.answer,
    refusals: ['conflict'],
    example: { answer: statusPages.example },
  },
});
