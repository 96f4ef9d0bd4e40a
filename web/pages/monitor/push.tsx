import type { ReactNode } from 'react';
import type { MonitorDetail } from '../../client/types.gen.ts';
import { Banners } from './banners.tsx';
import { CheckedCard } from './checked.tsx';
import { Figures } from './figures.tsx';
import { MonitorHead } from './head.tsx';
import { IncidentsCard } from './incidents-card.tsx';

/** Page of a job that calls when it runs. */
export default function PushMonitor({ monitor }: { monitor: MonitorDetail }): ReactNode {
  return (
    <>
      <MonitorHead monitor={monitor} text={null} action={null} />
      <Banners monitor={monitor} />
      <Figures monitor={monitor} />
      <div className="stack">
        <IncidentsCard monitor={monitor} />
        <CheckedCard monitor={monitor} />
      </div>
    </>
  );
}
