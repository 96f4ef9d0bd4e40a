import { useState } from 'react';
import { usePlaces, useRegions } from '../../app/regions.ts';
import type { IncidentEvidence } from '../../app/api.gen.ts';
import { Cause } from '../../parts/cause.tsx';
import { Card } from '../../parts/page.tsx';
import { inMilliseconds, PhaseBar, PhaseLegend, scaleOf } from '../../parts/phases.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { ClockTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { displayStatusOfFailure, inOrderOf } from './verdict.ts';

/** What each region saw when the incident was confirmed, side by side, and the raw answer of one of them. */
export function Evidence({ evidence: seen }: { evidence: readonly IncidentEvidence[] }) {
  const codes = useRegions().data?.data.map(({ code }) => code) ?? [];
  const evidence = inOrderOf(codes, seen);
  if (evidence.length === 0) return null;
  const scale = scaleOf(evidence.map(({ timings }) => timings));
  return (
    <Card
      title={evidence.length === 1 ? words.incident.whatWasSeen : words.incident.whatEachSaw}
      aside={<PhaseLegend />}
    >
      <div className="ev" data-count={Math.min(evidence.length, 4)}>
        {evidence.map((one) => (
          <Seen key={one.region ?? one.checked_at} {...{ one, scale }} />
        ))}
      </div>
      <RawAnswers evidence={evidence} />
    </Card>
  );
}

function Seen({ one, scale }: { one: IncidentEvidence; scale: number }) {
  const { incident } = words;
  const places = usePlaces();
  const total = one.timings.total_ms;
  return (
    <section>
      <h3>
        <StatusShape displayStatus={displayStatusOfFailure(one.failure?.code)} />
        {places.checkOf(one.region) || words.incident.here}
      </h3>
      <p className="line">
        {one.failure ? <Cause>{one.failure.text}</Cause> : (one.status_line ?? incident.answered)}
      </p>
      <PhaseBar times={one.timings} scale={scale} />
      {one.remote_address !== null && (
        <p className="mono" title={incident.address}>
          <span className="vh">{incident.address} </span>
          {one.remote_address}
        </p>
      )}
      <dl>
        {total !== null && (
          <>
            <dt>{incident.total}</dt>
            <dd>{inMilliseconds(total)}</dd>
          </>
        )}
        <dt>{incident.at}</dt>
        <dd>
          <ClockTime time={one.checked_at} withSeconds />
        </dd>
        {one.tls !== null && (
          <>
            <dt>{incident.certificate}</dt>
            <dd className="clip" title={one.tls.issuer ?? ''}>
              {one.tls.issuer ?? one.tls.subject}
            </dd>
          </>
        )}
        {one.redirects.length > 0 && (
          <>
            <dt>{incident.redirects}</dt>
            <dd title={one.redirects.join('\n')}>{one.redirects.length}</dd>
          </>
        )}
      </dl>
    </section>
  );
}

/** Status line, headers and body as they were sent, of the regions that got an answer. */
function RawAnswers({ evidence }: { evidence: readonly IncidentEvidence[] }) {
  const answers = evidence.filter(({ status_line }) => status_line !== null);
  const places = usePlaces();
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = answers.find(({ region }) => region === chosen) ?? answers[0];
  if (shown === undefined) return null;
  const label = words.incident.answerIn(places.checkOf(shown.region));
  return (
    <>
      <div className="ev-raw">
        <span className="xs dim">{label}</span>
        {answers.length > 1 && (
          <Segmented
            label={words.incident.answerOf}
            value={shown.region ?? ''}
            choices={answers.map(({ region }) => ({
              value: region ?? '',
              text: places.checkOf(region),
            }))}
            onChange={setChosen}
          />
        )}
      </div>
      <ScrollRegion label={label}>
        <pre>
          <b>{shown.status_line}</b>
          {Object.entries(shown.headers ?? {}).map(([name, value]) => `\n${name}: ${value}`)}
          {shown.body !== null && shown.body !== '' && `\n\n${shown.body}`}
        </pre>
      </ScrollRegion>
    </>
  );
}
