import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { queries, useChange, useRead } from '../../app/api.ts';
import { useSession } from '../../app/session.tsx';
import { createIncident, getMonitorOverview } from '../../client/sdk.gen.ts';
import type { CreateIncidentData } from '../../client/types.gen.ts';
import { fromWallTime, toWallMinute } from '../../lib/wall-time.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { CalendarField } from '../../parts/calendar-field.tsx';
import { Choose, Form, TextArea } from '../../parts/form.tsx';
import { say } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { SEVERITIES, STATUSES } from './filter.ts';

/** Records an incident that no check saw. */
export function CreateIncident({
  monitorId = null,
  onClose,
}: {
  monitorId?: number | null;
  onClose: () => void;
}): ReactNode {
  const { incidents } = words;
  const { zone } = useSession();
  const [, navigate] = useLocation();
  const overview = useRead(['monitors', 'overview'], () => getMonitorOverview());
  const monitors = (overview.data?.monitors ?? []).toSorted((a, b) => a.name.localeCompare(b.name));
  const [monitor, setMonitor] = useState(String(monitorId ?? ''));
  const [cause, setCause] = useState('');
  const [severity, setSeverity] = useState<(typeof SEVERITIES)[number]>('critical');
  const [status, setStatus] = useState<(typeof STATUSES)[number]>('open');
  const [startedAt, setStartedAt] = useState(() => toWallMinute(Date.now(), zone));
  const [endedAt, setEndedAt] = useState('');
  const create = useChange(
    (body: CreateIncidentData['body']) => createIncident({ body }),
    ['incidents', 'monitors', 'monitor'],
  );
  const save = async () => {
    const made = await create.mutateAsync({
      // Without a choice, the API says that one is required.
      monitor_id: (monitor === '' ? null : Number(monitor)) as number,
      started_at: fromWallTime(startedAt, zone) ?? startedAt,
      status,
      severity,
      root_cause: cause.trim() === '' ? null : cause,
      ...(status === 'resolved' &&
        endedAt !== '' && { ended_at: fromWallTime(endedAt, zone) ?? endedAt }),
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
          <p className="dim">{incidents.createText}</p>
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
          <CalendarField
            name="started_at"
            label={incidents.startedAt}
            hint={incidents.localTimeHint(zone)}
            type="datetime-local"
            value={startedAt}
            onChange={setStartedAt}
          />
          {status === 'resolved' && (
            <CalendarField
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
