import { signal } from '@preact/signals';
import { go } from './route.ts';

/** Whether the list of keys is open. */
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
      isHelpOpen.value = false;
      if (isTyping(target)) target.blur();
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
  const current = rows.findIndex((row) => row.getAttribute('aria-current') === 'true');
  const next = rows[current < 0 ? 0 : current + step];
  next?.click();
  next?.focus();
}
