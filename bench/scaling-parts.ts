import type { LayoutName } from './scale-layouts.ts';
import type { Measured } from './scale-sample.ts';

/** Figures of a layout: when idle, then with its monitors. */
export interface MeasuredLayout {
  layout: LayoutName;
  idle: Measured;
  loads: Measured[];
  /** Monitors a second whose hour is rolled up; null where no worker is apart. */
  rollupsPerSecond: number | null;
}

/** What `npm run bench -- scale --save` writes, and docs/scaling.md is generated from. */
export interface ScalingParts {
  /** Command that measured it. */
  command: string;
  processors: number;
  layouts: MeasuredLayout[];
}

export const PARTS_FILE = new URL('./scaling-parts.json', import.meta.url);
