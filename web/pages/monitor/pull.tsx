import { useRef, useState, type ReactNode } from 'react';
import { usePlaces } from '../../app/regions.ts';
import { useSession } from '../../app/session.tsx';
import type { MonitorDetail } from '../../client/types.gen.ts';
import { duration } from '../../lib/format.ts';
import { Button } from '../../parts/button.tsx';
import { words } from '../../words/index.ts';
import { ActivitiesCard } from './activities.tsx';
import { CertificateCard } from './certificate.tsx';
import { CheckNow } from './check-now.tsx';
import { CheckedCard } from './checked.tsx';
import { CorrectionsCard } from './corrections.tsx';
import { DaysCard } from './days.tsx';
import { Figures } from './figures.tsx';
import { MonitorHead } from './head.tsx';
import { NotifiedCard } from './notified.tsx';
import { Banners } from './banners.tsx';
import { IncidentsCard } from './incidents-card.tsx';
import { RegionsCard } from './regions.tsx';
import { ResponseCard } from './response-card.tsx';
import { ResultsCard } from './results.tsx';
import { SloCard } from './slo.tsx';
import { TargetCard } from './target.tsx';

const MINUTE_MS = 60_000;

/** Page of a monitor that is checked from outside. */
export function PullMonitor({ monitor }: { monitor: MonitorDetail }): ReactNode {
  const { isAtLeast } = useSession();
  const [checks, setChecks] = useState(0);
  const checkButton = useRef<HTMLButtonElement>(null);
  const { check_types } = monitor;
  const closeCheck = () => {
    setChecks(0);
    checkButton.current?.focus();
  };
  return (
    <>
      <MonitorHead
        monitor={monitor}
        text={<Target monitor={monitor} />}
        action={
          isAtLeast('editor') && (
            <Button
              ref={checkButton}
              look="primary"
              icon="play"
              onClick={() => setChecks(checks + 1)}
            >
              {words.monitor.checkNow}
            </Button>
          )
        }
      />
      <Banners monitor={monitor} />
      {checks > 0 && <CheckNow key={checks} monitor={monitor} onClose={closeCheck} />}
      <Figures monitor={monitor} />
      <div className="cols2">
        <div className="stack">
          <ResponseCard monitor={monitor} />
          <DaysCard monitor={monitor} />
          <RegionsCard monitor={monitor} />
          <NotifiedCard monitor={monitor} />
          {(check_types.includes('dns') || check_types.includes('ssl')) && (
            <ActivitiesCard monitor={monitor} />
          )}
          <ResultsCard monitor={monitor} />
          <CorrectionsCard monitor={monitor} />
        </div>
        <div className="stack">
          <SloCard monitor={monitor} />
          <IncidentsCard monitor={monitor} />
          {check_types.includes('ssl') && <CertificateCard monitor={monitor} />}
          {(check_types.includes('dns') || check_types.includes('domain')) && (
            <TargetCard monitor={monitor} />
          )}
          <CheckedCard monitor={monitor} />
        </div>
      </div>
    </>
  );
}

/** What is checked, how often and from how many places. */
function Target({ monitor }: { monitor: MonitorDetail }): ReactNode {
  const { url, port, check_interval, monitored_regions } = monitor;
  const isWeb = monitor.monitor_type === 'http';
  const places = usePlaces();
  const machine = places.onlyMachine(monitored_regions);
  const interval = duration((check_interval ?? 0) * MINUTE_MS, words.time);
  const text = port === null ? url : `${url}:${port}`;
  return (
    <p>
      {isWeb ? (
        <a className="mono mo-target" href={url} target="_blank" rel="noreferrer">
          {text}
        </a>
      ) : (
        <span className="mono mo-target">{text}</span>
      )}{' '}
      <span className="faint">
        ·{' '}
        {machine === null
          ? words.monitor.everyFrom(interval, places.of(monitored_regions).length)
          : words.monitor.everyFromOne(interval, machine, monitored_regions.length)}
      </span>
    </p>
  );
}
