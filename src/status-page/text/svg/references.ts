import { GRADIENTS, referenceIn, SERVERS } from './allowed.ts';
import { elementsOf, type SvgElement } from './tree.ts';

/** Most elements that all `use` elements together repeat. */
const MAX_REPEATED = 20_000;

/**
 * Removes references by which a small file makes a browser draw without end: what `use` repeats has no `use` in it, and
 * patterns, masks and clip paths refer to gradients and plain shapes only.
 */
export function limitReferences(root: SvgElement): void {
  const targets = new Map<string, SvgElement>();
  index(root, targets);
  const sizeOf: Of<number> = remembered((element) =>
    elementsOf(element).reduce((sum, child) => sum + sizeOf(child), 1),
  );
  const hasUse: Of<boolean> = remembered(
    (element) => element.name === 'use' || elementsOf(element).some(hasUse),
  );
  const isSimple: Of<boolean> = remembered(
    (element) =>
      element.name !== 'use' &&
      !refersBeyondGradients(element, targets) &&
      elementsOf(element).every(isSimple),
  );
  let repeated = 0;
  const limit = (element: SvgElement, isInServer: boolean): void => {
    const inside = isInServer || SERVERS.has(element.name);
    if (isInServer) dropReferences(element, targets);
    if (element.name === 'pattern') element.attributes.delete('href');
    element.children = element.children.filter((child) => {
      if (typeof child === 'string' || child.name !== 'use') return true;
      const target = targets.get(child.attributes.get('href')?.slice(1) ?? '');
      if (target === undefined || (inside ? !isSimple(target) : hasUse(target))) return false;
      repeated += sizeOf(target);
      return repeated <= MAX_REPEATED;
    });
    for (const child of elementsOf(element)) limit(child, inside);
  };
  limit(root, false);
}

type Of<T> = (element: SvgElement) => T;

/** A function of an element that is computed once for each. */
function remembered<T>(compute: Of<T>): Of<T> {
  const known = new Map<SvgElement, T>();
  return (element) => {
    if (!known.has(element)) known.set(element, compute(element));
    return known.get(element)!;
  };
}

function index(element: SvgElement, targets: Map<string, SvgElement>): void {
  const id = element.attributes.get('id');
  if (id !== undefined) {
    // The first one counts; a second one would depend on the browser.
    if (targets.has(id)) element.attributes.delete('id');
    else targets.set(id, element);
  }
  for (const child of elementsOf(element)) index(child, targets);
}

function refersBeyondGradients(
  { attributes }: SvgElement,
  targets: ReadonlyMap<string, SvgElement>,
): boolean {
  return [...attributes.values()].some((value) => isBeyondGradients(value, targets));
}

function dropReferences(
  { attributes }: SvgElement,
  targets: ReadonlyMap<string, SvgElement>,
): void {
  for (const [name, value] of attributes)
    if (isBeyondGradients(value, targets)) attributes.delete(name);
}

function isBeyondGradients(value: string, targets: ReadonlyMap<string, SvgElement>): boolean {
  const id = referenceIn(value);
  return id !== null && !GRADIENTS.has(targets.get(id)?.name ?? '');
}
