/** Names of the images of a status page. */
export const PAGE_IMAGES = ['logo', 'logo_dark', 'favicon', 'social_image'] as const;
export type PageImageName = (typeof PAGE_IMAGES)[number];

/** Media type of an image, and SHA-256 of its bytes as base64url. */
export interface PageImage {
  type: string;
  hash: string;
}

export type PageImages = Partial<Record<PageImageName, PageImage>>;

/** Size up to which a logo is attached to mails, which thousands may get. */
export const MAX_MAIL_LOGO_BYTES = 100_000;

/** Whether mails of a page show its logo. Mail programs show no SVG. */
export function hasMailLogo({ logo }: PageImages): boolean {
  return logo !== undefined && logo.type !== 'image/svg+xml';
}
