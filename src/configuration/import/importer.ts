import type { ConfigurationDocument, Section } from '../document.ts';

/** Makes a configuration set of files or API answers of another service. */
export interface Importer {
  /** In commands and requests, such as `uptime-kuma`. */
  name: string;
  /** Name of the service, such as `Uptime Kuma`. */
  title: string;
  /** What to give it, for people: where the file is found, or which address of its API has the answer. */
  takes: string;
  /**
   * Pure. Throws ImportError for what it can't read as a whole; what it can't import of a readable file stands in the
   * report.
   */
  read(source: ImportSource): Imported;
}

export interface ImportSource {
  /** Name of the file, such as `backup.json`. */
  file: string;
  text: string;
  /** Slug of the team that is meant, where a source has several. */
  team?: string;
  /** When it is read, epoch ms: recurring maintenance goes on from there. */
  now: number;
}

export interface Imported {
  document: ConfigurationDocument;
  report: ImportNote[];
  /** Uptime of the days before, where the source has it. */
  history?: MonitorHistory[];
}

/** Days of one monitor of the document, oldest first, none twice. */
export interface MonitorHistory {
  /** Key of the monitor. */
  key: string;
  days: HistoryDay[];
}

/** What another service observed on one day. What it did not observe counts as neither. */
export interface HistoryDay {
  /** `YYYY-MM-DD`, in UTC. */
  date: string;
  /** Whole seconds; both together at most 86,400. */
  up_seconds: number;
  down_seconds: number;
}

/** What became of one thing of the source. */
export interface ImportNote {
  /** How its service shows it, such as `monitor 12 "Website"`. */
  source: string;
  /** `changed` when it works differently here; the notes say how. */
  outcome: 'imported' | 'changed' | 'left_out';
  /** Where it is in the document; null when it is left out. */
  item: { section: Section; key: string } | null;
  /** Sentences for people. */
  notes: string[];
}

/** Place of what a file lacks as a whole. */
export const START = { line: 1, column: 1 };

/** A source that can't be read. The message says what is wrong and what to do. */
export class ImportError extends Error {
  override name = 'ImportError';
  /** Place in the file, from 1; null when the whole file is meant. */
  readonly line: number | null;
  readonly column: number | null;

  constructor(message: string, place: { line: number; column: number } | null = null) {
    super(message);
    this.line = place?.line ?? null;
    this.column = place?.column ?? null;
  }
}
