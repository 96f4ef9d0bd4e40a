import { useEffect, useRef, useState, type FocusEvent } from 'react';
import { ask } from '../../app/api.ts';
import { validateMonitor } from '../../client/sdk.gen.ts';
import type { MonitorSettings } from '../../client/types.gen.ts';
import { parseAnswer } from '../../lib/exact-json.ts';
import { withLabels } from '../../parts/field-labels.ts';
import { errorsOfLeft, type Errors } from './errors-of-left.ts';

/** Time without a change after which what is typed is validated. */
const PAUSE_MS = 400;

/** Errors of what is typed. */
export interface LiveErrors {
  /** Errors of the fields that were left; null before the first one. */
  errors: Errors | null;
  /** Validates when a field is left. For `onBlur` around the form. */
  onBlur: (event: FocusEvent) => void;
  /** Errors of an attempt to save count until something changes; then those of all fields are shown. */
  attempted: () => void;
}

/**
 * Validates a form when a field is left, and from then on while somebody types. Only the newest settings count.
 *
 * @param settings what is typed now
 * @param id of the monitor that is edited, else null
 */
export function useLiveErrors(settings: MonitorSettings, id: number | null): LiveErrors {
  const [errors, setErrors] = useState<Errors | null>(null);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  /** Settings of the last attempt to save, whose errors the form shows itself. */
  const [attempt, setAttempt] = useState<string | null>(null);
  const text = JSON.stringify({ ...settings, ...(id !== null && { id }) });
  const isStarted = (left.size > 0 || attempt !== null) && text !== attempt;
  const validated = useRef('');
  useEffect(() => {
    if (!isStarted || text === validated.current) return;
    const superseded = new AbortController();
    const validate = async () => {
      const found = await errorsOf(text, superseded.signal);
      if (found === null || superseded.signal.aborted) return;
      validated.current = text;
      setErrors(withLabels(found, document));
    };
    const timer = setTimeout(() => void validate(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      superseded.abort();
    };
  }, [isStarted, text]);
  return {
    errors: errors === null || attempt !== null ? errors : errorsOfLeft(errors, left),
    onBlur: ({ target }) => {
      const name = target.getAttribute('name') ?? '';
      if (name !== '' && !left.has(name)) setLeft(new Set([...left, name]));
    },
    attempted: () => {
      validated.current = '';
      setAttempt(text);
      setErrors(null);
    },
  };
}

/** Errors of settings; null when they could not be validated. @param text JSON of them */
async function errorsOf(text: string, signal: AbortSignal): Promise<Errors | null> {
  try {
    const body = parseAnswer(text) as MonitorSettings;
    return (await ask(validateMonitor({ body, signal }))).errors;
  } catch {
    return null;
  }
}
