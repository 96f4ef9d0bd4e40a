/** One row of a benchmark's table: a figure, its target, and whether it was reached. */
export interface Figure {
  name: string;
  value: number | string;
  unit?: string;
  /** Quality target, in words; without one the row is informative. */
  target?: string;
  reached?: boolean;
}

/** Prints one table and one JSON line. */
export function report(name: string, figures: Figure[], notes: string[] = []): void {
  const rows = figures.map((figure) => [
    figure.name,
    `${shown(figure.value)}${figure.unit ? ` ${figure.unit}` : ''}`,
    figure.target ?? '',
    figure.reached === undefined ? '' : figure.reached ? 'yes' : 'NO',
  ]);
  const table = [[name, 'measured', 'to reach', 'reached'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]!.length)));
  for (const row of table) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    );
  }
  for (const note of notes) console.log(`  ${note}`);
  console.log(JSON.stringify({ benchmark: name, figures }));
}

export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function shown(value: number | string): string {
  if (typeof value === 'string') return value;
  if (!Number.isFinite(value)) return '–';
  return Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en')
    : String(Number(value.toPrecision(3)));
}
