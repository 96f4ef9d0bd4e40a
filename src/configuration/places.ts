/** A place in a file; line and column are counted from 1. */
export interface Place {
  file: string;
  line: number;
  column: number;
}

/** What is wrong at a place, and what to do, as a sentence. */
export interface ConfigurationError extends Place {
  message: string;
}

/** Errors in the order of their places, file by file as these come first. */
export function inOrder(errors: readonly ConfigurationError[]): ConfigurationError[] {
  const files = Map.groupBy(errors, ({ file }) => file);
  return [...files.values()].flatMap((ofFile) =>
    ofFile.toSorted((a, b) => a.line - b.line || a.column - b.column),
  );
}
