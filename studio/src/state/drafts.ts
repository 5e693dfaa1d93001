import { useState } from 'preact/hooks';
import { config } from './service.ts';

/** What was entered into a form and is not saved. */
export type Draft = {
  isUnsaved: boolean;
  /** Returns to what is saved. */
  clear: () => void;
  /** What was entered is saved: it is shown until it is read again. */
  keep: () => void;
};

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * The value of a form for one object, as useState: what was entered, else what is saved. What is not saved stays in this
 * browser until `clear`, whatever page is opened in the meantime.
 */
export function useDraft<T>(
  object: readonly string[],
  saved: T,
): [value: T, set: (value: T) => void, draft: Draft] {
  const key = JSON.stringify(['studio.unsaved', config.value?.name, ...object]);
  const [state, setState] = useState(() => ({ key, entered: read<T>(key) }));
  // An object that replaces another in the same form has its own draft.
  const { entered } = state.key === key ? state : { entered: read<T>(key) };
  const set = (value: T | undefined) => {
    setState({ key, entered: value });
    write(key, value === undefined || same(value, saved) ? undefined : value);
  };
  const isUnsaved = entered !== undefined && !same(entered, saved);
  return [
    entered ?? saved,
    set,
    { isUnsaved, clear: () => set(undefined), keep: () => write(key, undefined) },
  ];
}

function read<T>(key: string): T | undefined {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '') as T;
  } catch {
    return undefined;
  }
}

/** A browser that stores nothing keeps what is entered as long as the form is open. */
function write(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {}
}
