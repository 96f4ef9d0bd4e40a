import { useMemo } from 'react';
import { listRegions } from '../client/sdk.gen.ts';
import type { Region } from '../client/types.gen.ts';
import { letterOf, numberOf, placesOf, sharedMachine, type Place } from '../lib/places.ts';
import { words } from '../words/index.ts';
import { useRead } from './api.ts';

/** Regions of the installation, with the machine that each is checked from. */
export function useRegions() {
  return useRead(['installation', 'regions'], () => listRegions());
}

/** What one place sees of a monitor: up, down, or unknown. */
export interface View {
  name: string;
  letter: 'u' | 'd' | '?';
  /** Whether several regions are checked from there. */
  isShared: boolean;
}

/** The places that regions are checked from, and their names: cities where they differ, else the machine that they share. */
export interface Places {
  /** Names of the places of these regions. */
  names(codes: readonly string[]): string[];
  /** The machine that all of these regions are checked from; null where they are in several places, or in a city. */
  onlyMachine(codes: readonly string[]): string | null;
  /** Name of the check of one region; empty for a check without a region. */
  checkOf(code: string | null): string;
  /**
   * What the places of a monitor see.
   *
   * @param letters of its regions, as the overview has them
   * @param codes of the regions, in the order of the letters
   */
  views(letters: string | undefined, codes: readonly string[]): View[];
}

export function usePlaces(): Places {
  const regions = useRegions().data?.data;
  return useMemo(() => placesIn(regions ?? []), [regions]);
}

function placesIn(regions: readonly Region[]): Places {
  const cityOf = (code: string) =>
    (words.regions as Record<string, string>)[code] ??
    regions.find((region) => region.code === code)?.title ??
    code;
  const nameOf = ({ machine, codes }: Place) => machine ?? cityOf(codes[0]!);
  return {
    names: (codes) => placesOf(codes, regions).map(nameOf),
    onlyMachine(codes) {
      const [first, ...others] = placesOf(codes, regions);
      return others.length === 0 ? (first?.machine ?? null) : null;
    },
    checkOf(code) {
      if (code === null) return '';
      const machine = sharedMachine(code, regions);
      return machine === null
        ? cityOf(code)
        : words.common.checkOf(machine, numberOf(code, regions));
    },
    views(letters, codes) {
      const letterOfRegion = (code: string) => letters?.[codes.indexOf(code)] ?? '-';
      const checked = codes.filter((code) => letterOfRegion(code) !== '-');
      return placesOf(checked, regions).map((place) => ({
        name: nameOf(place),
        letter: letterOf(place, letterOfRegion),
        isShared: place.machine !== null,
      }));
    },
  };
}
