import { SEVERITIES, type Severity } from '../lib/severity.ts';
import { words } from '../words/index.ts';
import { TickGroup } from './form.tsx';

/** Boxes for the severities that something applies to. The name of the API's field is `severities`. */
export function SeveritiesField({ legend }: { legend: string }) {
  return (
    <TickGroup<Severity>
      name="severities"
      legend={legend}
      choices={SEVERITIES.map((severity) => ({
        value: severity,
        text: words.severities[severity],
        hint: words.severityHints[severity],
      }))}
    />
  );
}
