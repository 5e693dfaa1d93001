import { signal } from '@preact/signals';
import { go, readPlace } from './route.ts';

/** True if the list of keys is open. */
export const isHelpOpen = signal(false);

/** The view that each key opens after `g`. */
export const VIEW_KEYS: Readonly<Record<string, string>> = {
  o: 'outbox',
  n: 'notifications',
  c: 'compose',
  t: 'types',
  u: 'users',
  w: 'waiting',
  k: 'clock',
  s: 'usage',
};

/** Listens to keys that no control has. */
export function startKeys(): void {
  let isAfterG = false;
  addEventListener('keydown', (event) => {
    const target = event.target as HTMLElement;
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === 'Escape') {
      if (isHelpOpen.value) isHelpOpen.value = false;
      else if (isTyping(target)) target.blur();
      // What is not saved is left by a link, never by a key too many.
      else if (!document.querySelector('dialog[open], [data-unsaved]')) goBack();
      return;
    }
    if (isTyping(target)) return;
    const view = isAfterG ? VIEW_KEYS[event.key] : undefined;
    isAfterG = event.key === 'g';
    if (view) go([view]);
    else if (event.key === '/') focusSearch(event);
    else if (event.key === '?') isHelpOpen.value = !isHelpOpen.value;
    else if (event.key === 'j') moveSelection(1);
    else if (event.key === 'k') moveSelection(-1);
  });
}

/** From one entry to its list, from a template to its type. */
function goBack(): void {
  const { view, path, query } = readPlace();
  if (path.length > 1) go([view, path[0] ?? '']);
  else if (path.length === 1) go([view], Object.fromEntries(query));
}

function isTyping(target: HTMLElement): boolean {
  return /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable;
}

function focusSearch(event: KeyboardEvent): void {
  event.preventDefault();
  document.querySelector<HTMLInputElement>('[data-search]')?.focus();
}

/** Opens the row after or before the current one. */
function moveSelection(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLAnchorElement>('a.row')];
  const focused = rows.findIndex((row) => row.matches(':focus'));
  // An entry that opened by default is not chosen yet.
  const isChosen = readPlace().path.length > 0;
  const opened = isChosen ? rows.findIndex((row) => row.getAttribute('aria-current') === 'true') : -1;
  const current = focused < 0 ? opened : focused;
  const next = rows[current < 0 ? 0 : current + step];
  next?.click();
  next?.focus();
}
