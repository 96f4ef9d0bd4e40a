import type { DisplayStatus } from '../lib/display-status.ts';
import { StatusShape } from './status.tsx';

/** A place that checks, and how it sees the target. */
interface MapPlace {
  name: string;
  /** Codes of the regions that are checked from there. */
  codes: readonly string[];
  displayStatus: DisplayStatus;
  /** In milliseconds. */
  ms: string | null;
}

/** Longitude and latitude of the regions that are known by their codes, in degrees. Others, such as private ones, may be anywhere. */
const POSITIONS: Readonly<Record<string, readonly [number, number]>> = {
  ash: [-77.5, 39],
  pdx: [-122.7, 45.5],
  nbg: [11.1, 49.5],
  sin: [103.8, 1.3],
};

/** The map is a grid: columns of 4 degrees from 180° west, rows of 4 degrees from 76° north. */
const COLUMNS = 90;
const ROWS = 33;
const NORTH = 76;
const DEGREES = 4;

/** Cells that are land, a bit each, row by row: of Natural Earth at 1:110m, which is in the public domain. */
const LAND =
  '00030401ff0000101f800003e23f3c7f800e00fffffe0000001c70e7f020000000003ffff181000efffffffffe001ffc3800009fffffff0c0003ffdf80025fffffff8200007fff00007ffffffff000000fffe0001ffefffff8000003fff0001cb5bffffc000000fff000062beffffa0000001ffc0001f03ffffe20000001fa00007ffeffff800000003800007fffdfffe00000000610001fff7cffe000000001e08007fffe1c71000000000c0001fffa020c400000000038007fffc08100000000000f800effe000800000000007f0001ff000040000000001ff0007f800090c000000007ff000fe000100e00000001ffc003f8000000800000003fe000fe4000068000000007f8003f200003f010000001fe0007c80003fc200000007e0001e00001ff800000001f00007800003fe000000007c000080000087800000001e000000000000c04000000e00000000000010200000030000000000000010000000c00000000000000000000010000000000000000';

/** A dot for each cell of land, as lines without length. */
const LAND_PATH = [...LAND]
  .flatMap((digit, index) =>
    [0, 1, 2, 3].flatMap((bit) => {
      const cell = index * 4 + bit;
      const isLand = (Number.parseInt(digit, 16) >> (3 - bit)) & 1;
      return isLand === 1
        ? [`M${(cell % COLUMNS) + 0.5} ${Math.floor(cell / COLUMNS) + 0.5}h0`]
        : [];
    }),
  )
  .join('');

/**
 * Map of the world with what each place sees. Places without a known position are named below it. It repeats a table, so that
 * screen readers skip it; nothing where fewer than two places have a position, since then it would say nothing.
 */
export function RegionMap({ places }: { places: readonly MapPlace[] }) {
  const positionOf = ({ codes: [code, ...others] }: MapPlace) =>
    others.length === 0 ? POSITIONS[code ?? ''] : undefined;
  const located = places.filter((place) => positionOf(place) !== undefined);
  if (located.length < 2) return null;
  const elsewhere = places.filter((place) => positionOf(place) === undefined);
  return (
    <div className="region-map xs nowrap" aria-hidden="true">
      <div className="relative">
        <svg viewBox={`0 0 ${COLUMNS} ${ROWS}`}>
          <path d={LAND_PATH} />
        </svg>
        {located.map((place) => {
          const [longitude, latitude] = positionOf(place)!;
          const left = `${((longitude + 180) / (COLUMNS * DEGREES)) * 100}%`;
          const top = `${((NORTH - latitude) / (ROWS * DEGREES)) * 100}%`;
          return (
            <span
              key={place.name}
              className={`near ${longitude > 60 ? 'to-left' : longitude < -100 ? 'above' : ''}`}
              style={{ left, top }}
            >
              <PlaceText place={place} />
            </span>
          );
        })}
      </div>
      {elsewhere.map((place) => (
        <span key={place.name} className="near">
          <PlaceText place={place} />
        </span>
      ))}
    </div>
  );
}

function PlaceText({ place: { name, displayStatus, ms } }: { place: MapPlace }) {
  return (
    <>
      <StatusShape displayStatus={displayStatus} isDecoration />
      <b>{name}</b> {ms}
    </>
  );
}
