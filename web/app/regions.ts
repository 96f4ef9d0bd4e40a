import { useMemo } from 'react';
import { letterOf, numberOf, placesOf, sharedMachine, type Place } from '../lib/places.ts';
import { words } from '../words/index.ts';
import { useRead } from './api.ts';
import { type Region } from './client.ts';

/** Regions of the installation, with the machine that each is checked from. */
export function useRegions() {
  return useRead('listRegions');
}

/** What one place sees of a monitor: up, down, or unknown. */
export interface View {
  name: string;
  letter: 'u' | 'd' | '?';
  /** Whether several regions are checked from there. */
  isShared: boolean;
}

/** A place and its name: that of its city, or of the machine that several regions share. */
export interface NamedPlace extends Place {
  name: string;
}

/** The places that regions are checked from. */
export type Places = ReturnType<typeof placesIn>;

export function usePlaces() {
  const regions = useRegions().data?.data;
  return useMemo(() => placesIn(regions ?? []), [regions]);
}

function placesIn(regions: readonly Region[]) {
  const cityOf = (code: string) =>
    (words.regions as Record<string, string>)[code] ??
    regions.find((region) => region.code === code)?.title ??
    code;
  /** The places of these regions, in their order. */
  const of = (codes: readonly string[]): NamedPlace[] =>
    placesOf(codes, regions).map((place) => ({
      ...place,
      name: place.machine ?? cityOf(place.codes[0]!),
    }));
  return {
    of,

    /** The machine that all of these regions are checked from; null where they are in several places, or in a city. */
    onlyMachine(codes: readonly string[]): string | null {
      const [first, ...others] = placesOf(codes, regions);
      return others.length === 0 ? (first?.machine ?? null) : null;
    },

    /** Name of the check of one region; empty for a check without a region. */
    checkOf(code: string | null): string {
      if (code === null) return '';
      const machine = sharedMachine(code, regions);
      return machine === null
        ? cityOf(code)
        : words.common.checkOf(machine, numberOf(code, regions));
    },

    /**
     * What the places of a monitor see.
     *
     * @param letters of its regions, as the overview has them
     * @param codes of the regions, in the order of the letters
     */
    views(letters: string | undefined, codes: readonly string[]): View[] {
      const letterOfRegion = (code: string) => letters?.[codes.indexOf(code)] ?? '-';
      const checked = codes.filter((code) => letterOfRegion(code) !== '-');
      return of(checked).map((place) => ({
        name: place.name,
        letter: letterOf(place, letterOfRegion),
        isShared: place.machine !== null,
      }));
    },
  };
}
