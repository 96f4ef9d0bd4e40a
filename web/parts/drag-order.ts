import { useEffect, useRef, type RefObject } from 'react';

/**
 * Lets the items of a list be dragged to another place among each other, where they are `draggable`. For the pointer: the keyboard
 * needs buttons or a menu for the same.
 *
 * @param onMove called with the place of an item and by how many places it moves
 */
export function useDragOrder(
  list: RefObject<HTMLElement | null>,
  onMove: (index: number, by: number) => void,
): void {
  const newest = useRef(onMove);
  useEffect(() => {
    newest.current = onMove;
  });
  useEffect(() => {
    const element = list.current;
    if (element === null) return;
    let dragged: number | null = null;
    const placeOf = ({ target }: Event) =>
      [...element.children].findIndex((item) => item.contains(target as Node));
    const mark = (place: number | null) => {
      for (const [index, item] of [...element.children].entries())
        item.classList.toggle('drop', index === place && index !== dragged);
    };
    const end = () => {
      mark(null);
      dragged = null;
    };
    const handlers = {
      dragstart: (event: DragEvent) => {
        // An inner list moves within itself.
        event.stopPropagation();
        dragged = placeOf(event);
      },
      dragover: (event: DragEvent) => {
        if (dragged === null) return;
        event.preventDefault();
        mark(placeOf(event));
      },
      drop: (event: DragEvent) => {
        if (dragged === null) return;
        event.preventDefault();
        const by = placeOf(event) - dragged;
        if (by !== 0) newest.current(dragged, by);
        end();
      },
      dragend: end,
    };
    const each = Object.entries(handlers) as [string, EventListener][];
    for (const [name, handle] of each) element.addEventListener(name, handle);
    return () => {
      for (const [name, handle] of each) element.removeEventListener(name, handle);
    };
  }, [list]);
}
