import type { ReactNode } from 'react';
import {
  FieldFrame,
  Input,
  Select,
  Tick,
  useControl,
  useTexts,
  type FieldProps,
} from '../../parts/form.tsx';
import { words } from '../../words/index.ts';
import { UNIT_SECONDS, type Amount, type Unit } from './parts.ts';
import { cardFields, rowOf, type Draft } from './draft.ts';

/** What each part of the form gets: the draft, and a function that changes some of it. */
export interface PartProps {
  draft: Draft;
  set: (change: Partial<Draft>) => void;
}

/** Section of the form with a title. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="card fieldset">
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

/** Settings that few people need: folded, and open from the start when one of them is set. */
export function Advanced({
  title = words.monitorForm.advanced,
  isSet,
  children,
}: {
  title?: string;
  isSet: boolean;
  children: ReactNode;
}) {
  return (
    <details className="mf-more" open={isSet}>
      <summary>{title}</summary>
      <div className="stack mf-more-body">{children}</div>
    </details>
  );
}

/** Duration with its unit. */
export function AmountInput(props: FieldProps) {
  const { name } = props;
  const { value, change } = useControl<Amount>(name);
  const { label } = useTexts(props);
  return (
    <FieldFrame {...props}>
      {(attributes) => (
        <span className="mf-amount">
          <input
            {...attributes}
            className="control"
            inputMode="decimal"
            autoComplete="off"
            value={value.text}
            onChange={(event) => change({ ...value, text: event.target.value })}
          />
          <Select
            name={name}
            aria-label={words.monitorForm.unitOf(label)}
            value={value.unit}
            onChange={(unit) => change({ ...value, unit })}
            options={(Object.keys(UNIT_SECONDS) as Unit[]).map((unit) => ({
              value: unit,
              text: words.monitorForm.units[unit],
            }))}
          />
        </span>
      )}
    </FieldFrame>
  );
}

/** Number with its unit behind it. */
export function NumberInput({ unit, ...props }: FieldProps & { unit: string }) {
  const { label } = useTexts(props);
  return (
    <div className="mf-number" data-unit={unit}>
      <Input inputMode="decimal" {...props} label={`${label} (${unit})`} />
    </div>
  );
}

/** Control of a field as the table has it: a switch, a number or a text. */
export function Control({ name }: { name: Parameters<typeof rowOf>[0] }) {
  const { kind, unset, unit } = rowOf(name);
  if (kind === 'boolean') return <Tick name={name} />;
  const isOptional = unset === undefined;
  if (unit === undefined) return <Input name={name} isOptional={isOptional} spellCheck={false} />;
  return (
    <NumberInput name={name} isOptional={isOptional} unit={words.monitorForm.fieldUnits[unit]} />
  );
}

/** Controls of the fields that the table names for a card. */
export function CardFields({
  card,
  type,
}: {
  card: Parameters<typeof cardFields>[0];
  type: Draft['type'];
}) {
  return cardFields(card, type).map((name) => <Control key={name} name={name} />);
}
