import type { ReactNode } from 'react';
import type { MonitorDetail } from '../../client/types.gen.ts';
import { Card, Facts } from '../../parts/card.tsx';
import { DayTime } from '../../parts/time.tsx';
import { Cause } from '../../parts/cause.tsx';
import { words } from '../../words/index.ts';
import { Expiry } from './certificate.tsx';
import { useDns, useDomainExpiration } from './reads.ts';

const TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT'] as const;

/** End of the registration and records of the target's name. */
export function TargetCard({ monitor }: { monitor: MonitorDetail }): ReactNode {
  const hasDns = monitor.check_types.includes('dns');
  const hasDomain = monitor.check_types.includes('domain');
  const records = useDns(monitor.id).data?.data[0];
  const registration = useDomainExpiration(monitor.id, hasDomain);
  const { target } = words.monitor;
  const problem = monitor.incidents.find(
    ({ type, status }) => status === 'open' && (type === 'dns' || type === 'domain'),
  );
  const title = hasDns && hasDomain ? target.title : hasDns ? target.dnsTitle : target.domainTitle;
  return (
    <Card
      title={title}
      aside={
        <span className={problem ? 'xs b warn' : 'xs b up'}>
          {problem ? target.problem : target.fine}
        </span>
      }
    >
      <Facts
        rows={[
          [
            target.registered,
            !hasDomain ? null : registration === null ? (
              <span key="registered" className="faint">
                {target.unknownDate}
              </span>
            ) : (
              <Expiry key="registered" time={registration.expires_at} />
            ),
          ],
          [target.registrar, registration?.registrar],
          ...(records === undefined
            ? []
            : TYPES.filter((type) => records.records[type].length > 0).map(
                (type) =>
                  [
                    type,
                    <span key={type}>
                      {records.records[type].map((value) => (
                        <span key={value} className="mono mo-line">
                          {value}
                        </span>
                      ))}
                    </span>,
                  ] as const,
              )),
          [target.seen, records && <DayTime key="seen" time={records.seen_at} />],
          [
            target.problem,
            problem?.root_cause && <Cause key="problem">{problem.root_cause}</Cause>,
          ],
        ]}
      />
      {hasDns && records === undefined && <p className="mo-none">{target.none}</p>}
    </Card>
  );
}
