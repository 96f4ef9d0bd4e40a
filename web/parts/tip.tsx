import { useEffect, useRef, type RefObject } from 'react';

/** Distance from the pointer and from the edges of the window, in pixels. */
const GAP_PX = 8;

/**
 * Shows a text above the pointer while it is over something that has one. For what a picture says besides its label: screen readers
 * and keyboards have the label, and the table or the page that it leads to.
 *
 * @param textOf text for what the pointer is over; null for none
 */
export function useTip(
  area: RefObject<HTMLElement | null>,
  textOf: (target: Element, event: PointerEvent) => string | null,
): void {
  const newest = useRef(textOf);
  useEffect(() => {
    newest.current = textOf;
  });
  useEffect(() => {
    const element = area.current;
    if (element === null) return;
    const tip = document.createElement('div');
    tip.className = 'xs nowrap tip';
    tip.ariaHidden = 'true';
    const hide = () => tip.remove();
    const move = (event: PointerEvent) => {
      const isTouch = event.pointerType === 'touch';
      const text = isTouch ? null : newest.current(event.target as Element, event);
      if (text === null) return hide();
      tip.textContent = text;
      if (!tip.isConnected) document.body.append(tip);
      const { offsetWidth: width, offsetHeight: height } = tip;
      const left = Math.min(event.clientX - width / 2, innerWidth - width - GAP_PX);
      tip.style.left = `${Math.max(GAP_PX, left)}px`;
      tip.style.top = `${event.clientY - height - 2 * GAP_PX}px`;
    };
    element.addEventListener('pointermove', move);
    element.addEventListener('pointerleave', hide);
    addEventListener('scroll', hide, { passive: true });
    return () => {
      hide();
      element.removeEventListener('pointermove', move);
      element.removeEventListener('pointerleave', hide);
      removeEventListener('scroll', hide);
    };
  }, [area]);
}

/** Index of the part of a row of equal parts that the pointer is over. */
export function partAt(element: Element, { clientX }: PointerEvent, parts: number): number {
  const { left, width } = element.getBoundingClientRect();
  return Math.min(parts - 1, Math.max(0, Math.floor(((clientX - left) / width) * parts)));
}
