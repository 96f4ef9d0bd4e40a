import { useEffect } from 'react';

/** Moves the focus to the next or the previous row; false when there is none. */
type Move = (step: 1 | -1) => boolean;

let mover: Move | null = null;

/** Lets a list that renders only some of its rows move the focus itself, for the keys `j` and `k`. */
export function useRowMoves(move: Move): void {
  useEffect(() => {
    mover = move;
    return () => {
      if (mover === move) mover = null;
    };
  }, [move]);
}

/** Moves the focus in the list that asked for it; null where none did. */
export function moveRow(step: 1 | -1): boolean | null {
  return mover === null ? null : mover(step);
}
