import { ServiceError } from '../errors.ts';
import { h, icon, setText, sharedParts } from './dom.ts';
import { FILTERS, type Filter } from './items.ts';
import type { TextValues } from './texts.ts';

/** Texts of the inbox by the attribute that replaces each. */
export const INBOX_TEXTS = {
  title: 'Notifications',
  bell: 'Notifications, {count} unread',
  'mark-all': 'Mark all as read',
  'mark-read': 'Mark as read: {title}',
  'mark-unread': 'Mark as unread: {title}',
  archive: 'Archive: {title}',
  unarchive: 'Move to the inbox: {title}',
  archived: 'Archived',
  snooze: 'Snooze: {title}',
  unsnooze: 'Show now: {title}',
  snoozed: 'Snoozed',
  until: 'Until {time}',
  undo: 'Undo',
  whole: 'Show all of it',
  filter: 'Show',
  'filter-all': 'All',
  'filter-unread': 'Unread',
  'filter-archived': 'Archived',
  'filter-snoozed': 'Snoozed',
  shown: 'Notifications shown: {count}',
  'snooze-hour': 'In an hour',
  'snooze-tomorrow': 'Tomorrow at 9',
  'unread-item': 'Unread.',
  more: 'Show older',
  empty: 'You are all caught up',
  'empty-view': 'Nothing here',
  'empty-hint': 'New notifications appear here.',
  error: 'Your notifications could not be updated.',
  rejected: 'You are not signed in. Reload the page.',
  retry: 'Try again',
  loading: 'Loading notifications',
  arrived: 'New notification: {title}',
};

const GAP = 8;
const HEIGHT_MAX = 560;
const HEIGHT_MIN = 240;
const BADGE_MAX = 99;

export type Parts = ReturnType<typeof buildParts>;

export function buildParts() {
  const badge = h('span', { class: 'badge', part: 'badge', 'aria-hidden': 'true' });
  const attributes = {
    class: 'bell',
    part: 'bell',
    'aria-haspopup': 'dialog',
    'aria-expanded': 'false',
  };
  const bell = h('button', attributes, icon('bell'), badge);
  const heading = h('h2', { part: 'title', id: 'title' });
  const filter = h('select', { class: 'filter', part: 'filter' });
  const undoText = h('span');
  const undo = h('button', { class: 'plain', part: 'undo' });
  const undoBar = h('div', { class: 'undo', hidden: '' }, undoText, undo);
  const markAll = h('button', { class: 'plain', part: 'mark-all' });
  const shared = sharedParts();
  const emptyTitle = h('strong');
  const emptyHint = h('span');
  const empty = h('div', { class: 'empty', part: 'empty' }, icon('bell'), emptyTitle, emptyHint);
  const list = h('ul', { part: 'list', 'aria-labelledby': 'title' });
  const more = h('button', { class: 'plain more', part: 'more' });
  const scroll = h('div', { class: 'scroll' }, shared.skeleton, empty, list, more);
  const panel = h(
    'div',
    {
      class: 'panel',
      part: 'panel',
      popover: 'auto',
      role: 'dialog',
      tabindex: '-1',
      'aria-labelledby': 'title',
    },
    h('div', { class: 'header', part: 'header' }, heading, filter, markAll),
    shared.problem,
    scroll,
    undoBar,
  );
  return {
    ...shared,
    bell,
    badge,
    heading,
    filter,
    undoBar,
    undoText,
    undo,
    markAll,
    emptyTitle,
    emptyHint,
    empty,
    list,
    more,
    panel,
  };
}

/** Sets the texts and the number on the bell. */
export function drawTexts(
  parts: Parts,
  text: (name: keyof typeof INBOX_TEXTS, values?: TextValues) => string,
  { unread, error, filter }: { unread: number; error: Error | undefined; filter: Filter },
): void {
  parts.bell.setAttribute('aria-label', unread > 0 ? text('bell', { count: unread }) : text('title'));
  setText(parts.badge, unread > BADGE_MAX ? `${BADGE_MAX}+` : String(unread));
  parts.badge.hidden = unread === 0;
  const isRejected = error instanceof ServiceError && (error.status === 401 || error.status === 403);
  setText(parts.message, error ? text(isRejected ? 'rejected' : 'error') : '');
  const texts = [
    [parts.heading, 'title'],
    [parts.markAll, 'mark-all'],
    [parts.retry, 'retry'],
    [parts.loading, 'loading'],
    [parts.emptyTitle, filter === 'all' || filter === 'unread' ? 'empty' : 'empty-view'],
    [parts.emptyHint, 'empty-hint'],
    [parts.more, 'more'],
    [parts.undo, 'undo'],
  ] as const;
  for (const [node, name] of texts) setText(node, text(name));
  parts.filter.ariaLabel = text('filter');
  parts.emptyHint.hidden = filter !== 'all';
  for (const [index, each] of FILTERS.entries()) {
    const option = parts.filter.options[index] ?? parts.filter.appendChild(new Option('', each));
    setText(option, text(`filter-${each}`));
  }
  parts.filter.value = filter;
}

/** Shows on the bell whether the panel is open; an open one stays at its bell. */
export function showOpen({ bell }: Parts, isOpen: boolean, onMove: () => void): void {
  bell.setAttribute('aria-expanded', String(isOpen));
  const change = isOpen ? addEventListener : removeEventListener;
  change('resize', onMove);
  change('scroll', onMove, true);
}

/** Puts the panel under the bell, or over it where there is more room, and always inside the window. */
export function place(parts: Parts | undefined): void {
  if (!parts) return;
  const { bell, panel } = parts;
  const { top, bottom, right, left } = bell.getBoundingClientRect();
  const below = innerHeight - bottom - 2 * GAP;
  const above = top - 2 * GAP;
  const isBelow = below >= HEIGHT_MIN || below >= above;
  const { style } = panel;
  style.maxHeight = `${Math.max(0, Math.min(HEIGHT_MAX, isBelow ? below : above))}px`;
  style.top = isBelow ? `${bottom + GAP}px` : 'auto';
  style.bottom = isBelow ? 'auto' : `${innerHeight - top + GAP}px`;
  const width = panel.offsetWidth;
  const isEnd = right - width >= GAP;
  const start = isEnd ? right - width : left;
  style.left = `${Math.max(GAP, Math.min(start, document.documentElement.clientWidth - width - GAP))}px`;
}
