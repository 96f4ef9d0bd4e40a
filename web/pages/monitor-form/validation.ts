import { useRef, useState, type FocusEvent } from 'react';
import { ApiError, ask } from '../../app/api.ts';
import { testMonitor } from '../../client/sdk.gen.ts';
import type { MonitorSettings } from '../../client/types.gen.ts';
import { isPush } from './draft.ts';
import { errorsOfLeft, type Errors } from './errors-of-left.ts';

/** Field that is always wrong in a validation, so that the API says what else is wrong and checks nothing. */
const ALWAYS_WRONG = { name: 'monitored_regions', value: [] };

/** Errors of what is typed, in the words of the API. */
export interface LiveErrors {
  /** Errors of the fields that were left; null before the first one. */
  errors: Errors | null;
  /** Validates when a field is left. For `onBlur` around the form. */
  onBlur: (event: FocusEvent) => void;
  /** Errors of an attempt to save count until the next field is left; then all fields are validated. */
  attempted: () => void;
}

/** Validates a form when a field is left. @param id of the monitor that is edited, else null */
export function useLiveErrors(body: () => MonitorSettings, id: number | null): LiveErrors {
  const [errors, setErrors] = useState<Errors | null>(null);
  const left = useRef(new Set<string>());
  const isAttempted = useRef(false);
  const last = useRef('');
  const turn = useRef(0);
  const validate = async () => {
    const sent = body();
    const text = JSON.stringify(sent);
    if (text === last.current) return;
    last.current = text;
    turn.current += 1;
    const mine = turn.current;
    const found = await errorsOf(sent, id);
    if (found === null || mine !== turn.current) return;
    setErrors(isAttempted.current ? found : errorsOfLeft(found, left.current));
  };
  return {
    errors,
    onBlur: ({ target }) => {
      const name = target.getAttribute('name') ?? '';
      if (name === '') return;
      if (!left.current.has(name)) last.current = '';
      left.current.add(name);
      void validate();
    },
    attempted: () => {
      isAttempted.current = true;
      last.current = '';
      setErrors(null);
    },
  };
}

/** Errors of settings; null when they could not be validated. A push monitor has nothing to check: it is tested as it is. */
async function errorsOf(settings: MonitorSettings, id: number | null): Promise<Errors | null> {
  const isPushed = isPush(settings.monitor_type ?? 'http');
  const wrong = isPushed ? {} : { [ALWAYS_WRONG.name]: ALWAYS_WRONG.value };
  try {
    await ask(testMonitor({ body: { ...settings, ...wrong, ...(id !== null && { id }) } }));
    return {};
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 422) return null;
    const others = { ...error.errors };
    if (!isPushed) delete others[ALWAYS_WRONG.name];
    // A test may not send stored secrets to another host, but saving may: the url is validated then.
    if (id !== null && holdsSecrets(settings)) delete others['url'];
    return others;
  }
}

function holdsSecrets({ request_headers, request_body, auth_type }: MonitorSettings): boolean {
  return [request_headers, request_body, auth_type].some((value) => value != null);
}
