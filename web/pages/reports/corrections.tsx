import { useState, type ReactNode } from 'react';
import { useRead } from '../../app/api.ts';
import { useSession } from '../../app/session.tsx';
import { listMonitorCorrections } from '../../client/sdk.gen.ts';
import type { Correction } from '../../client/types.gen.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure, Waiting } from '../../parts/failure.tsx';
import { Paging } from '../../parts/paging.tsx';
import { DayTime } from '../../parts/time.tsx';
import { say, sayError } from '../../parts/toast.tsx';
import { duration } from '../../lib/format.ts';
import { words } from '../../words/index.ts';
import { takeBack } from '../../parts/reclassify.tsx';

/** Corrections of a monitor that are in force, each of which can be taken back. */
export function CorrectionsDialog({
  monitor: { id, name },
  onAdd,
  onClose,
}: {
  monitor: { id: number; name: string };
  onAdd: () => void;
  onClose: () => void;
}): ReactNode {
  const w = words.reports;
  const canCorrect = useSession().isAtLeast('editor');
  const [page, setPage] = useState(1);
  const found = useRead(['monitor', id, 'corrections', page], () =>
    listMonitorCorrections({ path: { id }, query: { page, per_page: 20 } }),
  );
  return (
    <Dialog title={w.correctionsOf(name)} onClose={onClose}>
      {found.error && <Failure error={found.error} retry={() => void found.refetch()} />}
      {found.isPending && <Waiting lines={1} />}
      {found.data?.total === 0 && <p className="dim">{w.noCorrections}</p>}
      <ul className="rp-corrections">
        {found.data?.data.map((correction) => (
          <CorrectionRow key={correction.id} correction={correction} canCorrect={canCorrect} />
        ))}
      </ul>
      <Paging page={page} last={found.data?.last_page ?? 1} onChange={setPage} />
      <div className="acts">
        {canCorrect && (
          <Button icon="plus" onClick={onAdd}>
            {w.addCorrection}
          </Button>
        )}
        <Button onClick={onClose}>{words.common.close}</Button>
      </div>
    </Dialog>
  );
}

function CorrectionRow({
  correction,
  canCorrect,
}: {
  correction: Correction;
  canCorrect: boolean;
}): ReactNode {
  const { id, monitor_id, from, to, reason, evidence, created_by } = correction;
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    try {
      await takeBack(monitor_id, id);
      say(words.corrections.tookBack);
    } catch (error) {
      sayError(error);
      setBusy(false);
    }
  };
  return (
    <li>
      <div className="rp-incident">
        <p className="b">{words.corrections.as[correction.as]}</p>
        <p>{reason}</p>
        {evidence !== null && <p className="dim">{evidence}</p>}
        <p className="xs faint">
          <DayTime time={from} />
          {' · '}
          {duration(Date.parse(to) - Date.parse(from), words.time)}
          {created_by?.name && ` · ${created_by.name}`}
        </p>
      </div>
      {canCorrect && (
        <Button isBusy={isBusy} onClick={() => void remove()}>
          {words.corrections.takeBack}
        </Button>
      )}
    </li>
  );
}
