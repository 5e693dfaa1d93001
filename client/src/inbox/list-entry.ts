import { serviceNowMs } from '../request.ts';
import type { InboxItem } from './api.ts';
import { h, hide, icon, safeUrl, setText, timeText, UNKNOWN_LANGUAGE } from './dom.ts';
import type { INBOX_TEXTS } from './inbox-parts.ts';
import { isUnread } from './items.ts';
import { SNOOZES, type Snooze } from './snooze.ts';
import type { TextValues } from './texts.ts';

/** The actions of an entry, and its texts. */
export type EntryHost = {
  language: () => string;
  text: (name: keyof typeof INBOX_TEXTS, values?: TextValues) => string;
  onChoose: (item: InboxItem, event: Event) => void;
  /** The first or second action is used. */
  onAction: (item: InboxItem, number: 1 | 2, event: Event) => void;
  onToggle: (item: InboxItem) => void;
  onArchive: (item: InboxItem) => void;
  /** Without a choice, it ends the snooze. */
  onSnooze: (item: InboxItem, choice?: Snooze) => void;
};

/** A list entry that is updated in place, so that focus stays where it is. */
export type Entry = { node: HTMLLIElement; focus: () => void; update: (item: InboxItem) => void };

export function createEntry(host: EntryHost, first: InboxItem): Entry {
  let item = first;
  const href = safeUrl(first.redirectURL);
  const title = h('span', UNKNOWN_LANGUAGE);
  const mark = h('span', { class: 'sr' });
  const time = h('time', { part: 'time' });
  const main = href
    ? h('a', { class: 'entry', part: 'link', href }, mark, title, time)
    : h('button', { class: 'entry', part: 'link' }, mark, title, time);
  const whole = h('button', { class: 'plain whole', part: 'whole' });
  whole.onclick = () => {
    whole.ariaExpanded = String(node.classList.toggle('open'));
  };
  const toggle = actionOf('toggle', () => host.onToggle(item));
  const archive = actionOf('archive', () => host.onArchive(item));
  const snooze = actionOf('snooze', () =>
    item.snoozedUntil ? host.onSnooze(item) : showMenu(menu.hidden === true),
  );
  snooze.append(icon('clock'));
  const choices = SNOOZES.map((choice) => {
    const button = h('button', { class: 'plain', part: 'snooze-choice' });
    button.onclick = () => host.onSnooze(item, choice);
    return { choice, button };
  });
  const menu = h(
    'div',
    { class: 'menu', part: 'snooze-menu', role: 'group' },
    ...choices.map(({ button }) => button),
  );
  // Escape closes the menu, and not the list.
  menu.onkeydown = (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    showMenu(false);
    snooze.focus();
  };
  showMenu(false);
  const actions = h('div', { class: 'actions' }, toggle, archive, snooze, menu);
  const body = h('p', { ...UNKNOWN_LANGUAGE, class: 'body', part: 'body' });
  setText(body, first.body ?? '');
  const buttons = (first.actions ?? []).map(({ label, url }, index) => {
    const address = safeUrl(url);
    const attributes = { ...UNKNOWN_LANGUAGE, class: 'own', part: 'own-action' };
    const button = address ? h('a', { ...attributes, href: address }, label) : h('button', attributes, label);
    button.onclick = (event) => host.onAction(item, index === 0 ? 1 : 2, event);
    return button;
  });
  const more = h('div', { class: 'details' }, body, whole, ...buttons);
  const node = h('li', { part: 'item' }, main, more, actions);
  const image = safeUrl(first.imageURL);
  if (image)
    node.prepend(
      h('img', { src: image, alt: '', loading: 'lazy', referrerpolicy: 'no-referrer', part: 'image' }),
    );
  main.onclick = (event) => host.onChoose(item, event);
  // What three lines hold depends on the width.
  const cut = new ResizeObserver(() => {
    const isWhole = [title, body].every((part) => part.scrollHeight <= part.clientHeight);
    if (!node.classList.contains('open')) hide(whole, isWhole);
  });
  cut.observe(title);
  cut.observe(body);

  function showMenu(isShown: boolean): void {
    menu.hidden = !isShown;
    snooze.setAttribute('aria-expanded', String(isShown));
    if (isShown) choices[0]?.button.focus();
  }

  function update(next: InboxItem): void {
    item = next;
    const unread = isUnread(next);
    node.classList.toggle('unread', unread);
    node.part.toggle('item-unread', unread);
    setText(title, next.title);
    setText(mark, unread ? `${host.text('unread-item')} ` : '');
    const { archived, snoozedUntil, date } = next;
    const language = host.language();
    const shown = snoozedUntil ? untilText(snoozedUntil, language) : timeText(date, language, serviceNowMs());
    setText(time, shown);
    if (time.dateTime !== date || time.lang !== language) {
      time.dateTime = date;
      time.lang = language;
      time.title = new Date(date).toLocaleString(language);
    }
    hide(body, !next.body);
    setText(whole, host.text('whole'));
    hide(toggle, Boolean(archived || snoozedUntil));
    hide(snooze, Boolean(archived));
    const toggleText = host.text(unread ? 'mark-read' : 'mark-unread', { title: next.title });
    if (label(toggle, toggleText)) toggle.replaceChildren(icon(unread ? 'check' : 'dot'));
    const archiveText = host.text(archived ? 'unarchive' : 'archive', { title: next.title });
    if (label(archive, archiveText)) archive.replaceChildren(icon(archived ? 'back' : 'archive'));
    if (label(snooze, host.text(snoozedUntil ? 'unsnooze' : 'snooze', { title: next.title })))
      menu.setAttribute('aria-label', snooze.title);
    for (const { choice, button } of choices) setText(button, host.text(choice));
  }

  function untilText(time: string, language: string): string {
    const shown = new Date(time).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
    return host.text('until', { time: shown });
  }

  update(first);
  return { node, focus: () => main.focus(), update };
}

function actionOf(part: string, onClick: () => void): HTMLButtonElement {
  return Object.assign(h('button', { class: 'action', part: `action ${part}` }), { onclick: onClick });
}

/** Returns whether the text changed: setting the same text costs as much as building the button. */
function label(button: HTMLButtonElement, text: string): boolean {
  if (button.title === text) return false;
  button.setAttribute('aria-label', text);
  button.title = text;
  return true;
}
