/** The move can't begin or go on. The message is a sentence for the operator that says what to do. */
export class UnmovableError extends Error {
  override readonly name = 'UnmovableError';
}
