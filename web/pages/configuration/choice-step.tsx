import { useMemo, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { ChoiceInput, Form } from '../../parts/form.tsx';
import type { Section } from '../../parts/kept.tsx';
import { Card, Empty, PageHead } from '../../parts/page.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { StatusShape, type DisplayStatus } from '../../parts/status.tsx';
import { ScrollRegion, TableHead } from '../../parts/table.tsx';
import { words } from '../../words/index.ts';
import { placesOf, rowsOf, selectedOf, type SourceRow } from './selection.ts';
import type { Service, Source } from './source-step.tsx';

/** Rows that are shown before a person asks for all. */
const MAX_SHOWN = 200;

const FILTERS = ['all', 'changed', 'left_out', 'refused'] as const;
type Filter = (typeof FILTERS)[number];

/** The set that imported items belong to. */
interface ChosenSet {
  name: string;
  /** Whether the team has it already. */
  isKnown: boolean;
  isKept: boolean;
  onKeep: (isKept: boolean) => void;
}

/** What becomes of each thing of the source, and which of them are imported. */
export function ChoiceStep(props: {
  service: Service;
  source: Source;
  leftOut: ReadonlySet<string>;
  /** Why items were refused, by their places. */
  refused: ReadonlyMap<string, string[]>;
  set: ChosenSet;
  onChange: (leftOut: ReadonlySet<string>) => void;
  onBack: () => void;
  /** Throws an ApiError. */
  onPlan: () => Promise<void>;
}) {
  const { service, source, leftOut, refused, set, onChange, onBack, onPlan } = props;
  const { imports } = words;
  const rows = useMemo(() => rowsOf(source), [source]);
  const { dropped } = useMemo(() => selectedOf(source.document, leftOut), [source, leftOut]);
  const [filter, setFilter] = useState<Filter>('all');
  const [shown, setShown] = useState(MAX_SHOWN);
  const places = placesOf(rows);
  const coming = places.filter((place) => !leftOut.has(place) && !dropped.has(place));
  const isIn: Record<Filter, (row: SourceRow) => boolean> = {
    all: () => true,
    changed: ({ outcome }) => outcome === 'changed',
    left_out: ({ outcome }) => outcome === 'left_out',
    refused: ({ item }) => item !== null && refused.has(item.place),
  };
  const counts = (name: Filter) => rows.filter(isIn[name]).length;
  const filters = FILTERS.filter((name) => name === 'all' || counts(name) > 0);
  const now = filters.includes(filter) ? filter : 'all';
  const found = rows.filter(isIn[now]);
  const toggle = (place: string, isOn: boolean) => {
    const next = new Set(leftOut);
    if (isOn) next.delete(place);
    else next.add(place);
    onChange(next);
  };
  return (
    <>
      <PageHead
        title={imports.coming(coming.length, service.title)}
        text={[
          counts('changed') > 0 && imports.changedCount(counts('changed')),
          counts('left_out') > 0 && imports.leftOutCount(counts('left_out')),
          source.secrets > 0 && imports.secrets(source.secrets),
          imports.nothingYet,
        ]
          .filter(Boolean)
          .join(' ')}
      />
      <div className="stack">
        {places.length === 0 ? (
          <Card>
            <Empty title={imports.noneTitle} text={imports.noneText(service.title)} />
          </Card>
        ) : null}
        {rows.length > 0 && (
          <Card>
            <div className="row pad">
              {places.length > 0 && (
                <ChoiceInput
                  text={imports.all}
                  checked={leftOut.size === 0}
                  ref={(box) => {
                    if (box !== null) box.indeterminate = leftOut.size > 0 && coming.length > 0;
                  }}
                  onChange={(isOn) => onChange(new Set(isOn ? [] : places))}
                />
              )}
              {filters.length > 1 && (
                <Segmented
                  label={imports.show}
                  choices={filters.map((value) => ({
                    value,
                    text: `${imports.filters[value]} ${counts(value)}`,
                  }))}
                  value={now}
                  onChange={setFilter}
                />
              )}
              {refused.size > 0 && (
                <Button onClick={() => onChange(new Set([...leftOut, ...refused.keys()]))}>
                  {imports.leaveRefused}
                </Button>
              )}
            </div>
            <ScrollRegion label={imports.tableLabel}>
              <table className="stacked">
                <TableHead columns={[service.title, imports.becomes, imports.notes]} />
                <tbody>
                  {found.slice(0, shown).map((row, index) => (
                    <Row
                      key={index}
                      row={row}
                      state={stateOf(row, { leftOut, dropped })}
                      errors={(row.item && refused.get(row.item.place)) ?? []}
                      onToggle={toggle}
                    />
                  ))}
                </tbody>
              </table>
            </ScrollRegion>
            {found.length > shown && (
              <div className="row over form-end">
                <Button onClick={() => setShown(found.length)}>
                  {imports.showAll(found.length)}
                </Button>
              </div>
            )}
          </Card>
        )}
        <Card className="narrow">
          <Form
            submit={imports.review}
            isHeld={coming.length === 0}
            actions={<Button onClick={onBack}>{words.terms.back}</Button>}
            onSubmit={async () => {
              try {
                await onPlan();
              } catch (error) {
                setFilter('refused');
                throw error;
              }
            }}
          >
            <div className="pad">
              {set.isKnown ? (
                <p className="dim">{imports.setKnown(set.name)}</p>
              ) : (
                <ChoiceInput
                  text={imports.keep(set.name)}
                  hint={imports.keepHint}
                  checked={set.isKept}
                  onChange={set.onKeep}
                />
              )}
            </div>
          </Form>
        </Card>
      </div>
    </>
  );
}

type RowState = 'coming' | 'unticked' | 'dropped' | 'left_out';

function stateOf(
  { item }: SourceRow,
  { leftOut, dropped }: { leftOut: ReadonlySet<string>; dropped: ReadonlySet<string> },
): RowState {
  if (item === null) return 'left_out';
  if (leftOut.has(item.place)) return 'unticked';
  return dropped.has(item.place) ? 'dropped' : 'coming';
}

const SHAPES: Record<SourceRow['outcome'], DisplayStatus> = {
  imported: 'online',
  changed: 'degraded',
  left_out: 'paused',
};

function Row(props: {
  row: SourceRow;
  state: RowState;
  errors: readonly string[];
  onToggle: (place: string, isOn: boolean) => void;
}) {
  const {
    row: { source, outcome, notes, item },
    state,
    errors,
    onToggle,
  } = props;
  const { imports } = words;
  const shown = state === 'coming' ? outcome : 'left_out';
  return (
    <tr className={state === 'coming' ? undefined : 'faint'}>
      <td>
        <ChoiceInput
          text={source}
          checked={state === 'coming'}
          disabled={item === null || state === 'dropped'}
          onChange={(isOn) => item !== null && onToggle(item.place, isOn)}
        />
      </td>
      <td data-label={imports.becomes}>
        {item === null ? (
          <span className="faint">{imports.leftOut}</span>
        ) : (
          <span>
            {words.items[item.section as Section].name} <b className="b">{item.name}</b>
            {item.type !== null && <span className="faint"> {item.type}</span>}
          </span>
        )}
      </td>
      <td className="notes">
        <div className="xs dim">
          <span className="line">
            <StatusShape
              displayStatus={errors.length > 0 ? 'offline' : SHAPES[shown]}
              isDecoration
            />
            {errors.length > 0 ? imports.refusedWord : imports.outcomes[shown]}
          </span>
          {errors.map((error) => (
            <p key={error} className="down">
              {error}
            </p>
          ))}
          {state === 'dropped' && <p>{imports.dropped}</p>}
          {notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </div>
      </td>
    </tr>
  );
}
