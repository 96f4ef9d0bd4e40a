import { useRead } from '../../app/api.ts';
import { type Certificate, type MonitorDetail } from '../../app/client.ts';
import { useNow } from '../../app/clock.ts';
import { useSession } from '../../app/session.ts';
import { day } from '../../lib/format.ts';
import { Card, Waiting } from '../../parts/page.tsx';
import { Facts, MonoLines } from '../../parts/sections.tsx';
import { at, DayTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';

const DAY_MS = 86_400_000;
const SHOWN_NAMES = 3;

/** Certificate of the target, and when it ends. */
export function CertificateCard({ monitor }: { monitor: MonitorDetail }) {
  const { data } = useRead('listMonitorCertificates', {
    path: { id: monitor.id },
    query: { per_page: 1 },
  });
  const certificate = data?.data[0];
  const { certificate: text } = words.monitor;
  if (data === undefined) {
    return (
      <Card title={words.terms.certificate}>
        <Waiting lines={3} />
      </Card>
    );
  }
  if (certificate === undefined) {
    const isPlainHttp = /^http:/i.test(monitor.url);
    return (
      <Card title={words.terms.certificate}>
        <p className="inset sm dim">{isPlainHttp ? text.notHttps : text.none}</p>
      </Card>
    );
  }
  return <KnownCertificate certificate={certificate} threshold={monitor.ssl_expiry_threshold} />;
}

function KnownCertificate(props: { certificate: Certificate; threshold: number }) {
  const { certificate, threshold } = props;
  const { certificate: text } = words.monitor;
  const { valid_to, issuer, subject, names, protocol, key_type, key_bits, error, seen_at } =
    certificate;
  const now = useNow(60_000);
  const days = Math.floor((at(valid_to) - now) / DAY_MS);
  const [word, look] =
    days < 0
      ? [text.expired, 'down']
      : error !== null
        ? [text.invalid, 'down']
        : days < threshold
          ? [text.expiresSoon, 'warn']
          : [text.valid, 'up'];
  const all = names.length > 0 ? names : subject === null ? [] : [subject];
  return (
    <Card title={words.terms.certificate} aside={<span className={`xs b ${look}`}>{word}</span>}>
      <Facts
        rows={[
          [words.terms.expiry, <Expiry key="expires" time={valid_to} />],
          [text.issuer, issuer],
          [text.names, all.length === 0 ? null : <Names key="names" names={all} />],
          [text.protocol, protocol],
          [text.key, key_type === null ? null : `${key_type.toUpperCase()} ${key_bits ?? ''}`],
          [words.labels.seenSince, <DayTime key="seen" time={seen_at} />],
          [
            words.labels.problem,
            error === null ? null : (
              <span key="problem" className="down">
                {error}
              </span>
            ),
          ],
        ]}
      />
    </Card>
  );
}

function Names({ names }: { names: readonly string[] }) {
  const more = names.length - SHOWN_NAMES;
  return (
    <span title={names.join('\n')}>
      <MonoLines values={names.slice(0, SHOWN_NAMES)} />
      {more > 0 && <span className="xs faint">{words.monitor.certificate.moreNames(more)}</span>}
    </span>
  );
}

/** "in 61 days, 22 Jan". */
export function Expiry({ time }: { time: string }) {
  const { zone } = useSession();
  const now = useNow(60_000);
  const moment = at(time);
  const days = Math.floor((moment - now) / DAY_MS);
  const date = day(moment, now, zone);
  const { certificate } = words.monitor;
  return (
    <time dateTime={time} title={time}>
      {days < 0 ? certificate.daysAgo(-days - 1, date) : certificate.inDays(days, date)}
    </time>
  );
}
