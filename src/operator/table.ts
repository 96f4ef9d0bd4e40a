/**
 * Formats rows under their headings, in columns as wide as their longest cell.
 *
 * @returns text with line ends.
 */
export function formatTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const all = [heads, ...rows];
  const widths = heads.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const lines = all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
  return lines.map((line) => `${line}\n`).join('');
}
