import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { queries, useChange, useRead } from '../../app/api.ts';
import { createIncident, getMonitorOverview } from '../../client/sdk.gen.ts';
import type { CreateIncidentData } from '../../client/types.gen.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Choose, Form, Input, TextArea } from '../../parts/form.tsx';
import { say } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { SEVERITIES, STATUSES } from './filter.ts';
import { localTime, utcOf } from './local-time.ts';

/** Records an incident that no check saw. */
export function CreateIncident({
  monitorId = null,
  onClose,
}: {
  monitorId?: number | null;
  onClose: () => void;
}): ReactNode {
  const { incidents } = words;
  const [, navigate] = useLocation();
  const overview = useRead(['monitors', 'overview'], () => getMonitorOverview());
  const monitors = (overview.data?.monitors ?? []).toSorted((a, b) => a.name.localeCompare(b.name));
  const [monitor, setMonitor] = useState(String(monitorId ?? ''));
  const [cause, setCause] = useState('');
  const [severity, setSeverity] = useState<(typeof SEVERITIES)[number]>('critical');
  const [status, setStatus] = useState<(typeof STATUSES)[number]>('open');
  const [startedAt, setStartedAt] = useState(() => localTime(Date.now()));
  const [endedAt, setEndedAt] = useState('');
  const create = useChange(
    (body: CreateIncidentData['body']) => createIncident({ body }),
    ['incidents', 'monitors', 'monitor'],
  );
  const save = async () => {
    const made = await create.mutateAsync({
      monitor_id: Number(monitor),
      started_at: utcOf(startedAt),
      status,
      severity,
      root_cause: cause.trim() === '' ? null : cause,
      ...(status === 'resolved' && endedAt !== '' && { ended_at: utcOf(endedAt) }),
    });
    say(incidents.created);
    await queries.invalidateQueries({ queryKey: ['incidents'] });
    onClose();
    navigate(`/incidents/${made.id}`);
  };
  return (
    <Dialog title={incidents.createTitle} onClose={onClose}>
      <Form submit={incidents.create} onSubmit={save} onCancel={onClose}>
        <div className="fieldset">
          <Choose
            name="monitor_id"
            label={incidents.monitor}
            value={monitor}
            onChange={setMonitor}
            options={[
              { value: '', text: incidents.chooseMonitor },
              ...monitors.map(({ id, name }) => ({ value: String(id), text: name })),
            ]}
          />
          <TextArea
            name="root_cause"
            label={incidents.cause}
            hint={incidents.causeHint}
            isOptional
            value={cause}
            onChange={setCause}
          />
          <Choose
            name="severity"
            label={incidents.severity}
            value={severity}
            onChange={(value) => setSeverity(value as typeof severity)}
            options={SEVERITIES.map((value) => ({ value, text: incidents.severities[value] }))}
          />
          <Choose
            name="status"
            label={incidents.status}
            value={status}
            onChange={(value) => setStatus(value as typeof status)}
            options={STATUSES.map((value) => ({ value, text: incidents.statuses[value] }))}
          />
          <Input
            name="started_at"
            label={incidents.startedAt}
            hint={incidents.localTimeHint}
            type="datetime-local"
            value={startedAt}
            onChange={setStartedAt}
          />
          {status === 'resolved' && (
            <Input
              name="ended_at"
              label={incidents.endedAt}
              type="datetime-local"
              isOptional
              value={endedAt}
              onChange={setEndedAt}
            />
          )}
        </div>
      </Form>
    </Dialog>
  );
}
