/** The events of a world in order, for whoever debugs a failed seed. */
export interface Story {
  add(text: string): void;
  /** Adds the story of another world, under a title. */
  append(title: string, lines: readonly string[]): void;
  lines(): string[];
}

/** @param elapsed virtual milliseconds since the world began. */
export function createStory(elapsed: () => number): Story {
  const lines: string[] = [];
  return {
    add: (text) => void lines.push(`${timeOf(elapsed())}  ${text}`),
    append: (title, added) => void lines.push(title, ...added),
    lines: () => [...lines],
  };
}

/** Formats 12 minutes and 3.45 s as `12:03.450`. */
export function timeOf(milliseconds: number): string {
  const whole = Math.round(milliseconds);
  const minutes = Math.floor(whole / 60_000);
  const seconds = (whole - minutes * 60_000) / 1_000;
  return `${String(minutes).padStart(3)}:${seconds.toFixed(3).padStart(6, '0')}`;
}
