import { signal } from '@preact/signals';
import { go, readPlace } from './route.ts';

export const isHelpOpen = signal(false);

const OFF = 'studio.shortcuts.off';
/** Keys without Ctrl or ⌘ can be turned off: speech input and assistive software press them by accident. */
export const hasSingleKeys = signal(localStorage.getItem(OFF) === null);

export function setSingleKeys(isOn: boolean): void {
  hasSingleKeys.value = isOn;
  if (isOn) localStorage.removeItem(OFF);
  else localStorage.setItem(OFF, 'yes');
}

/** The view that each key opens after `g`. */
export const VIEW_KEYS: Readonly<Record<string, string>> = {
  o: 'outbox',
  n: 'notifications',
  c: 'compose',
  t: 'types',
  u: 'users',
  w: 'waiting',
  r: 'requests',
  k: 'clock',
  s: 'usage',
};

/** Listens to keys that no control has. */
export function startKeys(): void {
  let isAfterG = false;
  addEventListener('keydown', (event) => {
    const target = event.target as HTMLElement;
    if ((event.metaKey || event.ctrlKey) && event.key === 'k') return focusSearch(event);
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === 'Escape') {
      if (isTyping(target)) target.blur();
      // What is not saved is left by a link, never by a key too many.
      else if (!document.querySelector('dialog[open], [data-unsaved]')) goBack();
      return;
    }
    if (isTyping(target) || !hasSingleKeys.value || document.querySelector('dialog[open]')) return;
    const view = isAfterG ? VIEW_KEYS[event.key] : undefined;
    isAfterG = event.key === 'g';
    if (view) go([view]);
    else if (event.key === '/') focusSearch(event);
    else if (event.key === '?') isHelpOpen.value = true;
    else if (event.key === 'j') moveSelection(1);
    else if (event.key === 'k') moveSelection(-1);
  });
}

/** Focus that was on what is gone, hidden or disabled goes to the page, and not to the body. */
export function keepFocus(): void {
  let last: Element | null = null;
  addEventListener('focusin', ({ target }) => {
    last = target as Element;
  });
  const observer = new MutationObserver(() => {
    if (!last || document.activeElement !== document.body) return;
    last = null;
    document.getElementById('main')?.focus({ preventScroll: true });
  });
  observer.observe(document, { subtree: true, childList: true, attributeFilter: ['disabled', 'hidden'] });
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
