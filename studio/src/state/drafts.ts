import { useState } from 'preact/hooks';
import { config } from './service.ts';

/** What was entered into a form and is not saved. */
export type Draft = {
  isUnsaved: boolean;
  /** The ETag of what was shown when the draft began. */
  base: string | undefined;
  clear: () => void;
  /** What was entered is saved: it is shown until it is read again. */
  keep: () => void;
};

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * The value of a form for an object, as useState: the entered value, then the saved value. Unsaved input stays in this browser
 * until `clear`, also across pages.
 */
export function useDraft<T>(
  object: readonly string[],
  saved: T,
  etag?: string,
): [value: T, set: (value: T) => void, draft: Draft] {
  const key = JSON.stringify(['studio.unsaved', config.value?.name, ...object]);
  const baseKey = `${key} base`;
  const stored = () => ({ key, entered: read<T>(key), base: read<string>(baseKey) });
  const [state, setState] = useState(stored);
  // An object that replaces another in the same form has its own draft.
  const { entered, base } = state.key === key ? state : stored();
  const set = (value: T | undefined) => {
    const isKept = value !== undefined && !same(value, saved);
    const begun = isKept ? (base ?? etag) : undefined;
    setState({ key, entered: value, base: begun });
    write(key, isKept ? value : undefined);
    write(baseKey, begun);
  };
  const forget = () => {
    for (const each of [key, baseKey]) write(each, undefined);
  };
  const isUnsaved = entered !== undefined && !same(entered, saved);
  return [
    entered ?? saved,
    set,
    { isUnsaved, base: base ?? etag, clear: () => set(undefined), keep: forget },
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
