import { useEffect, useRef, type ReactNode } from 'react';
import { count } from '../../lib/format.ts';
import { words } from '../../words/index.ts';

/** Box that selects all monitors that the filter shows; between on and off while some are. */
export function SelectAll({
  all,
  selected,
  onChange,
}: {
  all: number;
  selected: number;
  onChange: (isOn: boolean) => void;
}): ReactNode {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = selected > 0 && selected < all;
  }, [all, selected]);
  const label = words.monitors.bulk.selectAll(count(all, words.time.locale));
  return (
    <input
      ref={box}
      type="checkbox"
      className="m-all"
      title={label}
      aria-label={label}
      checked={selected === all}
      onChange={({ target }) => onChange(target.checked)}
    />
  );
}
