import { useEffect, useState } from 'react';
import { ApiError, call, type WallView } from '../../app/client.ts';
import { useNow } from '../../app/clock.ts';
import { linkQuery } from '../../app/link-query.ts';
import { browserZone } from '../../app/session.ts';
import { clock, duration } from '../../lib/format.ts';
import { StatusShape } from '../../parts/status.tsx';
import { words } from '../../words/index.ts';
import { headlineOf, pagesOf, POLL_MS, silentSince, type WallMonitor } from './wall-pages.ts';

const token = linkQuery.get('token') ?? '';
/** Time for which a group is shown. */
const TURN_MS = 12_000;

/** Page `/wall?token=` of a screen in the office: one sentence that can be read from afar, and group after group. */
export default function WallPage() {
  const w = words.walls;
  const zone = browserZone();
  const now = useNow(1_000);
  const [wall, setWall] = useState<WallView | null>(null);
  const [news, setNews] = useState(0);
  const [isEnded, setEnded] = useState(false);
  const [turn, setTurn] = useState(0);
  const [isRotating, setRotating] = useState(true);
  useEffect(() => {
    document.documentElement.dataset['theme'] = 'dark';
    let timer: ReturnType<typeof setTimeout> | undefined;
    const poll = async () => {
      try {
        setWall(await call('getWallView', { query: { token } }));
        setNews(Date.now());
        setEnded(false);
      } catch (error) {
        setEnded(error instanceof ApiError && error.status === 404);
      }
      timer = setTimeout(() => void poll(), POLL_MS);
    };
    void poll();
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (!isRotating) return undefined;
    const timer = setInterval(() => setTurn((old) => old + 1), TURN_MS);
    return () => clearInterval(timer);
  }, [isRotating]);
  const title = isEnded ? w.ended : w.loading;
  const name = wall?.name ?? title;
  useEffect(() => {
    document.title = `${name} · Tocsin`;
  }, [name]);
  if (isEnded || wall === null) {
    return (
      <main className="wall">
        <h1>{title}</h1>
      </main>
    );
  }
  const silent = silentSince(news, now);
  const { text, displayStatus } = headlineOf(wall.monitors, w);
  const pages = pagesOf(wall);
  const page = pages[turn % Math.max(1, pages.length)];
  return (
    <main className={silent === null ? 'wall' : 'wall stale'}>
      <header className="line between">
        <h1 className="line">
          <StatusShape displayStatus={silent === null ? displayStatus : 'unknown'} isDecoration />
          {silent === null ? text : w.notLive(clock(silent, zone, true))}
        </h1>
        <p>{clock(now, zone)}</p>
      </header>
      {page !== undefined && (
        <section aria-label={page.name}>
          <h2>{page.name}</h2>
          <ul>
            {page.monitors.map((monitor) => (
              <Tile key={monitor.id} monitor={monitor} now={now} />
            ))}
          </ul>
        </section>
      )}
      <footer className="line between">
        <span>
          {wall.team} · {wall.name}
        </span>
        {pages.length > 1 && (
          <>
            <span>{words.terms.of((turn % pages.length) + 1, pages.length)}</span>
            <button className="btn" type="button" onClick={() => setRotating(!isRotating)}>
              {isRotating ? w.stop : w.rotate}
            </button>
          </>
        )}
      </footer>
    </main>
  );
}

function Tile({ monitor, now }: { monitor: WallMonitor; now: number }) {
  const { name, displayStatus, since } = monitor;
  return (
    <li className={displayStatus}>
      <StatusShape displayStatus={displayStatus} isDecoration />
      <span>{name}</span>
      <small>
        {words.status[displayStatus]}
        {displayStatus !== 'online' && ` · ${duration(Math.max(0, now - since * 1_000))}`}
      </small>
    </li>
  );
}
