import { useState, type ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { DayInput } from '../../parts/calendar-input.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { words } from '../../words/index.ts';
import { PERIODS, type Period, type PeriodName } from './period.ts';

/** Choice of the period, kept in the address, and of figures with or without corrections. */
export function PeriodBar(props: {
  period: Period;
  isCorrected: boolean;
  /** Whether corrections of the period change anything. */
  isCompared: boolean;
  /** Buttons at the end. */
  children: ReactNode;
}) {
  const { period, isCorrected, isCompared, children } = props;
  const w = words.reports;
  const [, setSearch] = useSearchParams();
  const [isOwn, setOwn] = useState('from' in period);
  const set = (changes: Record<string, string | null>) =>
    setSearch(
      (old) => {
        const search = new URLSearchParams(old);
        for (const [name, value] of Object.entries(changes))
          if (value === null) search.delete(name);
          else search.set(name, value);
        return search;
      },
      { replace: true },
    );
  return (
    <div className="row below apart rp-period">
      <Segmented<PeriodName | 'own'>
        label={words.labels.period}
        choices={[
          ...PERIODS.map((value) => ({ value, text: w.shortPeriods[value] })),
          { value: 'own', text: w.ownPeriod },
        ]}
        value={isOwn || 'from' in period ? 'own' : period.period}
        onChange={(value) => {
          setOwn(value === 'own');
          if (value !== 'own') set({ period: value, from: null, to: null });
        }}
      />
      {isOwn && (
        <OwnPeriod period={period} onChange={(from, to) => set({ from, to, period: null })} />
      )}
      {(isCompared || !isCorrected) && (
        <Segmented
          label={words.labels.corrections}
          choices={[
            { value: 'true', text: w.corrected },
            { value: 'false', text: w.recorded },
          ]}
          value={isCorrected ? 'true' : 'false'}
          onChange={(value) => set({ corrected: value === 'true' ? null : 'false' })}
        />
      )}
      <div className="row end rp-files">{children}</div>
    </div>
  );
}

/** Days from and to, sent once both are there. */
function OwnPeriod(props: { period: Period; onChange: (from: string, to: string) => void }) {
  const { period, onChange } = props;
  const w = words.reports;
  const [from, setFrom] = useState('from' in period ? period.from : '');
  const [to, setTo] = useState('to' in period ? period.to : '');
  const set = (newFrom: string, newTo: string) => {
    setFrom(newFrom);
    setTo(newTo);
    if (newFrom !== '' && newTo !== '') onChange(newFrom, newTo);
  };
  return (
    <span className="line rp-days">
      <DayInput label={words.labels.from} value={from} onChange={(day) => set(day, to)} />
      <span className="dim">{w.to}</span>
      <DayInput label={w.to} value={to} onChange={(day) => set(from, day)} />
    </span>
  );
}
