/** What happened in a world, in order, for the person who has to find out why a seed failed. */
export interface Story {
  add(text: string): void;
  /** Adds the story of another world, under a title. */
  append(title: string, lines: readonly string[]): void;
  lines(): string[];
}

/** `elapsed` gives the virtual milliseconds since the world began. */
export function createStory(elapsed: () => number): Story {
  const lines: string[] = [];
  return {
    add: (text) => void lines.push(`${timeOf(elapsed())}  ${text}`),
    append: (title, added) => void lines.push(title, ...added),
    lines: () => [...lines],
  };
}

/** `12:03.450` is twelve minutes and 3.45 s after the beginning. */
export function timeOf(milliseconds: number): string {
  const whole = Math.round(milliseconds);
  const minutes = Math.floor(whole / 60_000);
  const seconds = (whole - minutes * 60_000) / 1_000;
  return `${String(minutes).padStart(3)}:${seconds.toFixed(3).padStart(6, '0')}`;
}
