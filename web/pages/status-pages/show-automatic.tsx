import type { ReactNode } from 'react';
import type { StatusPage } from '../../client/types.gen.ts';
import { Choose } from '../../parts/form.tsx';
import { words } from '../../words/index.ts';

type Rule = StatusPage['show_automatic'];

const MINUTES = [0, 1, 2, 5, 10, 15, 30, 60];

/** When a detected incident shows on the page without a person. A stored number of minutes that is not offered stays. */
export function ShowAutomatic({
  name,
  label,
  value,
  onChange,
}: {
  name: string;
  label: string;
  value: Rule;
  onChange: (rule: Rule) => void;
}): ReactNode {
  return (
    <Choose
      name={name}
      label={label}
      hint={words.statusPages.automaticHint}
      value={codeOf(value)}
      onChange={(code) => onChange(ruleOf(code))}
      options={automaticOptions(value)}
    />
  );
}

/** The same with "as the page does" for a single service. */
export function ServiceAutomatic({
  name,
  value,
  onChange,
}: {
  name: string;
  value: Rule | null;
  onChange: (rule: Rule | null) => void;
}): ReactNode {
  const w = words.statusPages;
  return (
    <Choose
      name={name}
      label={w.automaticLabel}
      value={value === null ? '' : codeOf(value)}
      onChange={(code) => onChange(code === '' ? null : ruleOf(code))}
      options={[{ value: '', text: w.asThePage }, ...automaticOptions(value)]}
    />
  );
}

function automaticOptions(value: Rule | null) {
  const w = words.statusPages;
  const stored = value !== null && 'after_minutes' in value ? [value.after_minutes] : [];
  const minutes = [...new Set([...MINUTES, ...stored])].toSorted((a, b) => a - b);
  return [
    ...minutes.map((count) => ({ value: String(count), text: w.afterMinutes(count) })),
    { value: 'never', text: w.neverAutomatic },
  ];
}

function codeOf(rule: Rule): string {
  return 'never' in rule ? 'never' : String(rule.after_minutes);
}

function ruleOf(code: string): Rule {
  return code === 'never' ? { never: true } : { after_minutes: Number(code) };
}
