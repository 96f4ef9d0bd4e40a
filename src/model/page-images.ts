/** Names of the images of a status page. */
export const PAGE_IMAGES = ['logo', 'logo_dark', 'favicon', 'social_image'] as const;
export type PageImageName = (typeof PAGE_IMAGES)[number];

/** Media type of an image, and SHA-256 of its bytes as base64url. */
export interface PageImage {
  type: string;
  hash: string;
}

export type PageImages = Partial<Record<PageImageName, PageImage>>;
