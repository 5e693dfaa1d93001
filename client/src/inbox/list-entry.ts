import { serviceNowMs } from '../request.ts';
import type { InboxItem } from './api.ts';
import { h, icon, safeUrl, setText, timeText } from './dom.ts';
import { isUnread } from './items.ts';
import { SNOOZES, type Snooze } from './snooze.ts';

/** The actions of an entry, and its texts. */
export type EntryHost = {
  language: string;
  text: (
    name: 'unread-item' | 'mark-read' | 'mark-unread' | 'archive' | 'snooze' | Snooze,
    values?: { title: string },
  ) => string;
  onChoose: (item: InboxItem, event: Event) => void;
  onToggle: (item: InboxItem) => void;
  onArchive: (item: InboxItem) => void;
  onSnooze: (item: InboxItem, choice: Snooze) => void;
};

/** A list entry that is updated in place, so that focus stays where it is. */
export type Entry = { node: HTMLLIElement; focus: () => void; update: (item: InboxItem) => void };

export function createEntry(host: EntryHost, first: InboxItem): Entry {
  let item = first;
  const href = safeUrl(first.redirectURL);
  const title = h('span');
  const mark = h('span', { class: 'sr' });
  const time = h('time', { part: 'time' });
  const main = href
    ? h('a', { class: 'entry', part: 'link', href }, mark, title, time)
    : h('button', { class: 'entry', part: 'link' }, mark, title, time);
  const toggle = actionOf('toggle', () => host.onToggle(item));
  const archive = actionOf('archive', () => host.onArchive(item));
  archive.append(icon('archive'));
  const snooze = actionOf('snooze', () => showMenu(menu.hidden === true));
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
  showMenu(false);
  const actions = h('div', { class: 'actions' }, toggle, archive, snooze, menu);
  const node = h('li', { part: 'item' }, main, actions);
  const image = safeUrl(first.imageURL);
  if (image)
    node.prepend(
      h('img', { src: image, alt: '', loading: 'lazy', referrerpolicy: 'no-referrer', part: 'image' }),
    );
  main.onclick = (event) => host.onChoose(item, event);

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
    setText(time, timeText(next.date, host.language, serviceNowMs()));
    if (time.dateTime !== next.date) {
      time.dateTime = next.date;
      time.title = new Date(next.date).toLocaleString(host.language);
    }
    const toggleText = host.text(unread ? 'mark-read' : 'mark-unread', { title: next.title });
    if (label(toggle, toggleText)) toggle.replaceChildren(icon(unread ? 'check' : 'dot'));
    label(archive, host.text('archive', { title: next.title }));
    if (label(snooze, host.text('snooze', { title: next.title })))
      menu.setAttribute('aria-label', snooze.title);
    for (const { choice, button } of choices) setText(button, host.text(choice));
  }

  update(first);
  return { node, focus: () => main.focus(), update };
}

function actionOf(part: string, onClick: () => void): HTMLButtonElement {
  const button = h('button', { class: 'action', part: `action ${part}` });
  button.onclick = onClick;
  return button;
}

/** Returns whether the text changed: setting the same one costs as much as building the button. */
function label(button: HTMLButtonElement, text: string): boolean {
  if (button.title === text) return false;
  button.setAttribute('aria-label', text);
  button.title = text;
  return true;
}
