import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Encoding } from '../../status-page/kept-document.ts';
import { ASSETS, type Asset } from '../../status-page/render/index.ts';

interface ServedAsset extends Pick<Asset, 'type' | 'bytes'> {
  /** Null where an encoding saves nothing. */
  encoded: Record<Encoding, Buffer | null>;
}

/** Static files of public documents by their path below `/status/`, each encoded once. */
export type ServedAssets = ReadonlyMap<string, ServedAsset>;

export function readPublicAssets(assets: readonly Asset[] = ASSETS): ServedAssets {
  return new Map(
    assets.map(({ path, type, bytes }) => {
      const shorter = (encoded: Buffer) => (encoded.length < bytes.length ? encoded : null);
      const encoded = { br: shorter(brotliCompressSync(bytes)), gzip: shorter(gzipSync(bytes)) };
      return [path, { type, bytes, encoded }];
    }),
  );
}
