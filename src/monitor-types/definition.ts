/** Collects what is wrong with an input, so that all of it is answered at once. */
export interface Findings {
  /** @param predicate what follows the field's name, without a full stop: `must be …`. */
  add(field: string, predicate: string): void;
  /** Whether anything is wrong with a field or what is inside of it. */
  has(field: string): boolean;
}
