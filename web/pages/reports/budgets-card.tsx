import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useRead } from '../../app/api.ts';
import { listSlos } from '../../client/sdk.gen.ts';
import type { ListedSlo } from '../../client/types.gen.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Meter } from '../../parts/meter.tsx';
import { duration, percent } from '../../lib/format.ts';
import { words } from '../../words/index.ts';
import { byBudgetLeft, lookOf, shareOf } from './budgets.ts';

/** Budgets move with time, without an event of the live stream. Milliseconds. */
const REFRESH_MS = 60_000;
/** Budgets that are shown until all are asked for. */
const SHOWN_AT_FIRST = 8;

/** Error budgets of the team, those with the least left first; nothing where no monitor has an objective. */
export function BudgetsCard(): ReactNode {
  const w = words.reports;
  const [isWhole, setWhole] = useState(false);
  const read = useRead(['monitors', 'slos'], () => listSlos({ query: { per_page: 100 } }), {
    refetchInterval: REFRESH_MS,
  });
  if (read.error) return <Failure error={read.error} retry={() => void read.refetch()} />;
  if (read.data === undefined || read.data.total === 0) return null;
  const { data, total } = read.data;
  const sorted = byBudgetLeft(data);
  const shown = isWhole ? sorted : sorted.slice(0, SHOWN_AT_FIRST);
  return (
    <Card
      title={w.budgets}
      aside={total > data.length && <span className="xs dim">{w.shownOf(data.length, total)}</span>}
    >
      <ul className="rows">
        {shown.map((slo) => (
          <BudgetRow key={slo.id} slo={slo} />
        ))}
      </ul>
      {shown.length < sorted.length && (
        <div className="form-end">
          <Button onClick={() => setWhole(true)}>{w.showAll(sorted.length)}</Button>
        </div>
      )}
    </Card>
  );
}

function BudgetRow({ slo }: { slo: ListedSlo }): ReactNode {
  const w = words.reports;
  const { locale } = words.time;
  const { monitor_id: id, target_percent, window_days, error_budget: budget, burning } = slo;
  const name = slo.name ?? `#${id}`;
  const look = lookOf(budget);
  const length = duration(Math.abs(budget.left_seconds) * 1_000, words.time);
  return (
    <li className="rp-budget">
      <div>
        <Link className="b clip" href={`/monitors/${id}`} title={name}>
          {name}
        </Link>
        <p className="xs dim">
          {w.objective(new Intl.NumberFormat(locale).format(target_percent), window_days)}
        </p>
      </div>
      <Meter
        share={shareOf(budget)}
        look={look}
        label={words.monitor.slo.bar(percent(shareOf(budget), locale))}
      />
      <p className={look === 'up' ? '' : `b ${look}`}>
        {look === 'down' ? w.budgetOver(length) : w.budgetLeft(length)}
        {burning !== null && (
          <span className="xs rp-next">{words.monitor.slo.burning[burning]}</span>
        )}
      </p>
    </li>
  );
}
