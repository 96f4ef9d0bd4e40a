import { useMemo, type ReactNode } from 'react';
import { Choose } from './form.tsx';

/** List of the time zones that the browser knows; a stored one that it does not know stays. */
export function ZoneField({
  name,
  label,
  hint,
  value,
  onChange,
  unset,
}: {
  name: string;
  label: string;
  hint?: ReactNode;
  /** IANA name; empty for none. */
  value: string;
  onChange: (zone: string) => void;
  /** Text of the choice of none; without it a zone has to be chosen. */
  unset?: string;
}): ReactNode {
  const options = useMemo(() => {
    const known = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]);
    if (value !== '') known.add(value);
    const zones = [...known].map((zone) => ({ value: zone, text: zone.replaceAll('_', ' ') }));
    return unset === undefined ? zones : [{ value: '', text: unset }, ...zones];
  }, [value, unset]);
  return (
    <Choose
      name={name}
      label={label}
      hint={hint}
      value={value}
      onChange={onChange}
      options={options}
    />
  );
}
