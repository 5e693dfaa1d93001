import type { ComponentChildren } from 'preact';
import { useEffect, useErrorBoundary, useRef, useState } from 'preact/hooks';
import { isDown, revivals, whenUp } from '../state/connection.ts';
import type { Draft } from '../state/drafts.ts';
import { clearProblems, ownerOf, problemsOfUsed, problemText } from '../state/field-problems.ts';
import { addressOf, place } from '../state/route.ts';
import { pendingWrite, serviceNowMs } from '../state/service.ts';
import { isSureToRemove } from './removals.ts';
import { problemToast, toast } from './toasts.tsx';
import { Words } from './words.tsx';

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function Problem({ error }: { error: unknown }) {
  return (
    <p class="problem" role="alert">
      {problemText(error)}
    </p>
  );
}

/** The way back to a list, with its filters. */
export function Back({ list }: { list: string }) {
  const { view, query } = place.value;
  return (
    <a class="button back" href={addressOf([list], view === list ? Object.fromEntries(query) : {})}>
      ← {list.replace(/^./, (first) => first.toUpperCase())}
    </a>
  );
}

/** What cannot be shown, such as an unknown user, with the way back to its list. */
export function Missing({ title, list, error }: { title: string; list: string; error: unknown }) {
  return (
    <div class="page">
      <Back list={list} />
      <h1>
        <Words text={title} />
      </h1>
      <Problem error={error} />
    </div>
  );
}

/** Shows an error of what is inside instead of an empty page, with a way back. */
export function Boundary({ children }: { children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary();
  useEffect(reset, [place.value]);
  if (!error) return <>{children}</>;
  return (
    <div class="page">
      <h1>This page failed</h1>
      <Problem error={error} />
      <p class="actions">
        <button type="button" onClick={() => location.reload()}>
          Reload
        </button>
        <a class="button" href="#/">
          Start over
        </a>
      </p>
    </div>
  );
}

export function Skeleton({ lines = 6 }: { lines?: number }) {
  return (
    <div class="skeleton" role="status" aria-busy="true" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => (
        <i key={index} style={{ width: `${90 - ((index * 17) % 50)}%` }} />
      ))}
    </div>
  );
}

/** A name that is read aloud for what `children` show. */
export function Spoken({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <span class="hidden">{name}</span>
      <span class="contents" aria-hidden="true">
        {children}
      </span>
    </>
  );
}

/** Says that a form has entries that are not saved, and offers to discard them. */
export function Unsaved({ draft, name }: { draft: Draft; name: string }) {
  const owner = useRef<Element | null>(null);
  useEffect(() => {
    if (!draft.isUnsaved) clearProblems(owner.current);
  }, [draft.isUnsaved]);
  if (!draft.isUnsaved) return null;
  return (
    <span
      class="actions small waiting"
      data-unsaved
      ref={(element) => {
        if (element) owner.current = ownerOf(element);
      }}
    >
      ◔ Not saved
      <button
        type="button"
        onClick={async () => (await isSureToRemove('draft', name)) && draft.clear()}
        aria-label={`Discard the changes to ${name}`}
      >
        Discard
      </button>
    </span>
  );
}

/** Copies a text, and says so once it is copied. */
export const copyText = (text: string): Promise<boolean> =>
  act(async () => {
    if (!navigator.clipboard) throw new Error('This page may not copy. Select the text and copy it.');
    await navigator.clipboard.writeText(text);
  }, 'Copied');

/** Eight characters of an ID; a click copies all of it. */
export function Id({ value }: { value: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(value))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), 1200);
  };
  return (
    <button type="button" class="plain mono" title={`Copy ${value}`} onClick={copy}>
      {isCopied ? 'Copied' : value.length > 12 ? `…${value.slice(-8)}` : value}
    </button>
  );
}

/** Relative up to an hour, then the clock time; the absolute time with its zone on hover. */
export function Time({ atMs }: { atMs: number }) {
  if (Number.isNaN(atMs)) return null;
  const date = new Date(atMs);
  return (
    <time
      dateTime={date.toISOString()}
      title={date.toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'long' })}
    >
      {timeText(atMs)}
    </time>
  );
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

function secondsSince(atMs: number): number {
  const seconds = Math.round((serviceNowMs() - atMs) / 1000);
  // The two clocks differ by moments.
  return seconds < 0 && seconds > -5 ? 0 : seconds;
}

/** A time in words, for names that are read aloud: `1 minute ago`. */
export function spokenTime(atMs: number): string {
  const seconds = -secondsSince(atMs);
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? UNITS[3];
  return new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' }).format(Math.trunc(seconds / size), unit);
}

function timeText(atMs: number): string {
  const seconds = secondsSince(atMs);
  if (seconds >= 0 && seconds < 60) return `${seconds} s ago`;
  if (seconds >= 60 && seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 0 && seconds > -3600) return `in ${Math.ceil(-seconds / 60)} min`;
  const date = new Date(atMs);
  const isToday = date.toDateString() === new Date(serviceNowMs()).toDateString();
  return isToday
    ? date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
    : date.toLocaleString(undefined, {
        ...yearOf(date),
        day: 'numeric',
        month: 'short',
        hour: '2-digit',
        minute: '2-digit',
      });
}

/** Shows the year of a time in another year. */
export function yearOf(date: Date): Intl.DateTimeFormatOptions {
  return date.getFullYear() === new Date(serviceNowMs()).getFullYear() ? {} : { year: 'numeric' };
}

type Loaded<T> = { value?: T; error?: unknown; reload: () => void };

/**
 * Loads a value, again whenever a dependency changes; keeps the last value in the meantime. A load that begins before `changes`
 * grows is shown and followed by another, so that steady changes never keep the page empty.
 */
export function useLoaded<T>(
  load: () => Promise<T>,
  dependencies: readonly unknown[],
  changes = 0,
): Loaded<T> {
  const [state, setState] = useState<{ value?: T; error?: unknown }>({});
  const [round, setRound] = useState(0);
  const asked = useRef({ load, changes });
  asked.current = { load, changes };
  const follow = useRef(async () => {});
  useEffect(() => {
    let isCurrent = true;
    let isLoading = false;
    follow.current = async () => {
      if (isLoading) return;
      isLoading = true;
      for (let loaded: number | undefined; isCurrent && loaded !== asked.current.changes; ) {
        loaded = asked.current.changes;
        // An ID that no path can have throws at once.
        await new Promise<T>((resolve) => resolve(asked.current.load())).then(
          (value) => isCurrent && setState({ value }),
          (error: unknown) => isCurrent && setState((before) => ({ ...before, error })),
        );
      }
      isLoading = false;
    };
    follow.current();
    return () => {
      isCurrent = false;
    };
  }, [...dependencies, round, revivals.value]);
  useEffect(() => void follow.current(), [changes]);
  return { ...state, reload: () => setRound((count) => count + 1) };
}

/** Presses the main button of the page on Ctrl or ⌘ with `key`, instead of the browser's default. */
export function useShortcut(key: string): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== key || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      document.querySelector<HTMLButtonElement>('main button.primary')?.click();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [key]);
}

/** Runs an action, once the service responds, and shows its error as a line. */
export async function act(action: () => Promise<unknown>, done?: string): Promise<boolean> {
  const note = problemsOfUsed();
  try {
    if (isDown.value) toast('Waiting until the service responds. Keep this page open.');
    await whenUp();
    await action();
    note();
    if (done) toast(done);
    return true;
  } catch (error) {
    problemToast(problemText(error));
    note(error);
    return false;
  }
}

/** Asks before a write to a stage. */
export function ConfirmWrite() {
  const pending = pendingWrite.value;
  if (!pending) return null;
  return (
    <dialog
      ref={(element) => {
        if (element && !element.open) element.showModal();
      }}
      onCancel={() => pending.decide(false)}
      aria-label="Confirm"
    >
      <h2>Change this stage?</h2>
      <p class="mono">{pending.text}</p>
      <p class="actions">
        <button type="button" class="primary" onClick={() => pending.decide(true)}>
          Change it
        </button>
        <button type="button" onClick={() => pending.decide(false)}>
          Cancel
        </button>
      </p>
    </dialog>
  );
}

export function Tabs({
  names,
  current,
  onSelect,
}: {
  names: readonly string[];
  current: string;
  onSelect: (name: string) => void;
}) {
  return (
    <div class="tabs">
      {names.map((name) => (
        <button type="button" key={name} aria-pressed={name === current} onClick={() => onSelect(name)}>
          {name}
        </button>
      ))}
    </div>
  );
}

export function Json({ value }: { value: unknown }) {
  return <pre>{typeof value === 'string' ? pretty(value) : JSON.stringify(value, null, 2)}</pre>;
}

/** A text with its JSON on lines, if it is JSON. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Copies a text. `label` names it where the page has several. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  return (
    <button type="button" aria-label={label} onClick={() => copyText(text)}>
      Copy
    </button>
  );
}
