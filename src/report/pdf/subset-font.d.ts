/** The part of this package, which has no types of its own, that is used. */
declare module 'subset-font' {
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options: {
      keepAllGlyphs: boolean;
      targetFormat: string;
      noHinting: boolean;
      variationAxes: Record<string, number>;
      keepFeatures: readonly string[];
    },
  ): Promise<Buffer>;
}
