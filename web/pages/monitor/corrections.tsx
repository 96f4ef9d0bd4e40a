import { useState } from 'react';
import { useRead } from '../../app/api.ts';
import { call, type Correction, type MonitorDetail } from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import { dayAndTime } from '../../lib/format.ts';
import { monitorName } from '../../lib/monitor-name.ts';
import { Button } from '../../parts/button.tsx';
import { confirm } from '../../parts/dialog.tsx';
import { Card } from '../../parts/page.tsx';
import { ReclassifyDialog, type Interval } from '../../parts/reclassify.tsx';
import { at, DayTime } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { readAgain } from './actions.ts';

const HOUR_MS = 3_600_000;

/** Times that count otherwise than they were recorded. */
export function CorrectionsCard({ monitor }: { monitor: MonitorDetail }) {
  const { isAtLeast } = useSession();
  const [isAdding, setAdding] = useState(false);
  const { data } = useRead(['monitor', monitor.id, 'corrections'], () =>
    call('listMonitorCorrections', {
      path: { id: monitor.id },
      query: { per_page: 50, include_removed: 'true' },
    }),
  );
  const { corrections } = words.monitor;
  const list = data?.data ?? [];
  return (
    <Card
      title={words.labels.corrections}
      aside={
        isAtLeast('editor') && (
          <Button icon="plus" onClick={() => setAdding(true)}>
            {words.labels.addCorrection}
          </Button>
        )
      }
    >
      <p className="mo-none">
        {corrections.hint} {data !== undefined && list.length === 0 && corrections.none}
      </p>
      {list.length > 0 && (
        <ul className="rows mo-corrections">
          {list.map((correction) => (
            <Row key={correction.id} correction={correction} />
          ))}
        </ul>
      )}
      {isAdding && (
        <ReclassifyDialog interval={newestOutage(monitor)} onClose={() => setAdding(false)} />
      )}
    </Card>
  );
}

/** Time of the newest incident; without one the last hour. */
function newestOutage(monitor: MonitorDetail): Interval {
  const [newest] = monitor.incidents;
  const now = Date.now();
  return {
    monitorId: monitor.id,
    monitor: monitorName(monitor),
    from: newest?.started_at ?? new Date(now - HOUR_MS).toISOString(),
    to: newest?.ended_at ?? new Date(now).toISOString(),
  };
}

function Row({ correction }: { correction: Correction }) {
  const { isAtLeast } = useSession();
  const { from, to, as, reason, evidence, created_by, removed_at, removed_by } = correction;
  const { corrections } = words.monitor;
  const isRemoved = removed_at !== null;
  return (
    <li className={isRemoved ? 'mo-removed' : ''}>
      <div>
        <span className="b">{corrections.countsAs(words.corrections.as[as])}</span>
        {': '}
        <DayTime time={from} /> – <DayTime time={to} />
        <div className="xs dim">
          {reason}
          {evidence !== null && ` · ${evidence}`}
        </div>
        <div className="xs faint">
          {corrections.by(created_by?.name ?? null)}
          {isRemoved && ` · ${corrections.removed(removed_by?.name ?? null)}`}
        </div>
      </div>
      {!isRemoved && isAtLeast('editor') && <RemoveButton correction={correction} />}
    </li>
  );
}

function RemoveButton({ correction }: { correction: Correction }) {
  const { zone } = useSession();
  const { corrections } = words.monitor;
  const { id, monitor_id, from, to } = correction;
  const write = (time: string) => dayAndTime(at(time), Date.now(), zone, words.time);
  const remove = () =>
    confirm({
      title: corrections.removeTitle,
      text: corrections.removeText(write(from), write(to)),
      action: words.labels.takeBack,
      onConfirm: async () => {
        await call('deleteMonitorCorrection', { path: { id: monitor_id, correction: id } });
        await readAgain();
        showToast(corrections.added);
      },
    });
  return (
    <Button look="ghost" onClick={remove}>
      {words.labels.takeBack}
    </Button>
  );
}
