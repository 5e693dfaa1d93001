import { serviceNowMs } from '../request.ts';
import type { InboxItem } from './api.ts';
import { BaseElement, CONNECTION, emit, say, setText, sheetsOf, starterOf, upgrade } from './dom.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { buildParts, drawTexts, INBOX_TEXTS, type Parts, place, showOpen } from './inbox-parts.ts';
import { arrivedItems, type InboxState } from './inbox-state.ts';
import { type Filter, isUnread, type Marks } from './items.ts';
import type { OwnTexts } from './lazy.ts';
import { createEntry, type Entry } from './list-entry.ts';
import { snoozeTime } from './snooze.ts';
import { INBOX_STYLE } from './styles.ts';
import { createTexts, type TextValues } from './texts.ts';

const UNDO_MS = 10_000;
/** Relative times of an open list are drawn again. */
const TICK_MS = 30_000;

/** `<notification-inbox>`: a bell with the number of unread notifications, and their list. */
export class NotificationInbox extends BaseElement {
  static readonly observedAttributes = [
    ...CONNECTION,
    ...Object.keys(INBOX_TEXTS).map((name) => `text-${name}`),
  ];
  #inbox: Inbox | undefined;
  #ownsInbox = false;
  #unsubscribe = () => {};
  #parts: Parts | undefined;
  #entries = new Map<string, Entry>();
  #unread = 0;
  #ticks: ReturnType<typeof setInterval> | undefined;
  #undoTimer: ReturnType<typeof setTimeout> | undefined;
  #start = starterOf(this, (connection) => {
    if (!this.#inbox) this.#attach(createInbox(connection), true);
  });
  #place = () => place(this.#parts);
  #ownTexts: OwnTexts = {};
  #texts = createTexts(this, 'inbox', INBOX_TEXTS, () => this.#draw());

  constructor() {
    super();
    upgrade(this, ['inbox', 'texts']);
  }

  /** Texts by name, in place of the language's texts: `{ title: 'News' }`. */
  get texts(): OwnTexts {
    return this.#ownTexts;
  }

  set texts(texts: OwnTexts | undefined) {
    this.#ownTexts = texts ?? {};
    this.#draw();
  }

  /** The inbox that is shown: of the attributes, or one of `createInbox` that is assigned. */
  get inbox(): Inbox | undefined {
    return this.#inbox;
  }

  set inbox(inbox: Inbox | undefined) {
    if (inbox ? inbox === this.#inbox : this.#ownsInbox) return;
    this.#detach();
    this.#attach(inbox, false);
    this.#start();
  }

  connectedCallback(): void {
    this.#parts ??= this.#build();
    this.#texts.start();
    this.#subscribe();
    this.#start();
  }

  /** `moveBefore` keeps everything as it is, an open list included. */
  connectedMoveCallback(): void {}

  disconnectedCallback(): void {
    // The browser closes the list without an event.
    this.#showOpen(false);
    // An element that is only moved is connected again by then.
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#texts.stop();
      if (this.#ownsInbox) this.#detach();
      this.#unsubscribe();
    });
  }

  attributeChangedCallback(name: string): void {
    if (!this.#parts) return;
    if (CONNECTION.includes(name)) {
      if (this.#ownsInbox) this.#detach();
      this.#start();
    }
    this.#draw();
  }

  #attach(inbox: Inbox | undefined, isOwn: boolean): void {
    this.#inbox = inbox ?? undefined;
    this.#ownsInbox = isOwn;
    this.#subscribe();
  }

  /** An inbox that outlives the element must not keep it: only connected elements subscribe. */
  #subscribe(): void {
    this.#unsubscribe();
    const inbox = this.#inbox;
    if (!this.isConnected) return;
    let known = inbox?.getState();
    this.#unsubscribe =
      inbox?.subscribe((state) => {
        this.#announce(known, state);
        known = state;
        this.#draw();
      }) ?? (() => {});
    this.#draw();
  }

  #detach(): void {
    this.#unsubscribe();
    if (this.#ownsInbox) this.#inbox?.close();
    this.#inbox = undefined;
    this.#ownsInbox = false;
  }

  #text(name: keyof typeof INBOX_TEXTS, values?: TextValues): string {
    return this.#texts.text(name, values);
  }

  #announce(before: InboxState | undefined, state: InboxState): void {
    for (const { title } of arrivedItems(before, state)) this.#say('arrived', { title });
  }

  #say(name: keyof typeof INBOX_TEXTS, values?: TextValues): void {
    if (this.#parts) say(this.#parts.status, this.#text(name, values));
  }

  #build(): Parts {
    const parts = buildParts();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = sheetsOf(INBOX_STYLE);
    root.append(parts.bell, parts.panel, parts.status);
    parts.bell.onclick = () => {
      parts.panel.togglePopover();
      // Its toggle event comes later: keys pressed until then must not go to the bell.
      if (parts.panel.matches(':popover-open')) parts.panel.focus();
    };
    parts.panel.ontoggle = (event) => this.#toggled((event as ToggleEvent).newState === 'open');
    parts.panel.onkeydown = (event) => this.#move(event);
    parts.markAll.onclick = () => {
      this.#inbox?.openAll();
      this.#focusEntry(0);
    };
    parts.retry.onclick = () => this.#load(0, this.#inbox?.reload());
    parts.more.onclick = () => this.#load(this.#entries.size, this.#inbox?.loadMore());
    parts.filter.onchange = () => this.#load(undefined, this.#inbox?.show(parts.filter.value as Filter));
    return parts;
  }

  /** Says how many are shown after a load, and moves the focus from a button that is gone to an entry. */
  async #load(focused: number | undefined, loading: Promise<void> | undefined): Promise<void> {
    await loading;
    const { items = [], error } = this.#inbox?.getState() ?? {};
    if (error) return;
    this.#say('shown', { count: items.length });
    if (focused !== undefined) this.#focusEntry(Math.min(focused, items.length - 1));
  }

  #showOpen(isOpen: boolean): void {
    clearInterval(this.#ticks);
    if (isOpen) this.#ticks = setInterval(() => this.#draw(), TICK_MS);
    else this.#offerUndo();
    if (this.#parts) showOpen(this.#parts, isOpen, this.#place);
  }

  /** Offers for ten seconds to revert a change that took an entry out of the list. */
  #offerUndo(name?: 'archived' | 'snoozed', revert?: () => void): void {
    const { undoBar, undoText, undo } = this.#parts ?? {};
    if (!undoBar || !undoText || !undo) return;
    clearTimeout(this.#undoTimer);
    undoBar.hidden = !name;
    if (!name) return;
    setText(undoText, this.#text(name));
    this.#say(name);
    undo.onclick = () => {
      this.#offerUndo();
      revert?.();
    };
    const expire = () => {
      if (undoBar.matches(':hover, :focus-within')) this.#undoTimer = setTimeout(expire, UNDO_MS);
      else this.#offerUndo();
    };
    this.#undoTimer = setTimeout(expire, UNDO_MS);
  }

  #toggled(isOpen: boolean): void {
    const { bell, panel } = this.#parts ?? {};
    this.#showOpen(isOpen);
    if (!isOpen) {
      const focused = this.shadowRoot?.activeElement;
      if (!focused || panel?.contains(focused)) bell?.focus();
      return;
    }
    this.#draw();
    this.#place();
    this.#inbox?.refresh();
  }

  /** Arrows, Home and End move between entries. */
  #move(event: KeyboardEvent): void {
    const nodes = [...this.#entries.values()];
    const index = nodes.findIndex(({ node }) => node.contains(this.shadowRoot?.activeElement ?? null));
    const target = { ArrowDown: index + 1, ArrowUp: Math.max(index - 1, 0), Home: 0, End: nodes.length - 1 }[
      event.key
    ];
    if (target === undefined) return;
    event.preventDefault();
    this.#focusEntry(Math.min(target, nodes.length - 1));
  }

  #focusEntry(index: number): void {
    const entry = [...this.#entries.values()].at(index);
    if (entry) entry.focus();
    else this.#parts?.panel.focus();
  }

  #choose(item: InboxItem, event: Event): void {
    this.#inbox?.mark([item.trackingId], { opened: true, clicked: true });
    if (!emit(this, 'notification-click', item)) event.preventDefault();
  }

  #act(item: InboxItem, number: 1 | 2, event: Event): void {
    this.#inbox?.mark([item.trackingId], { opened: true, [`actioned${number}`]: true });
    if (!emit(this, 'notification-action', { item, number })) event.preventDefault();
  }

  /** Sets marks that may take the entry out of the list: the next one gets its focus. */
  #leave({ id, trackingId }: InboxItem, marks: Marks): void {
    const index = [...this.#entries.keys()].indexOf(id);
    this.#inbox?.mark([trackingId], marks);
    this.#focusEntry(Math.min(index, this.#entries.size - 1));
    if (!marks.archived && !marks.snoozedUntil) return;
    this.#offerUndo(marks.archived ? 'archived' : 'snoozed', () => {
      this.#inbox?.mark([trackingId], marks.archived ? { archived: null } : { snoozedUntil: null });
      this.#focusEntry(Math.max(0, [...this.#entries.keys()].indexOf(id)));
    });
  }

  #draw(): void {
    const parts = this.#parts;
    if (!parts) return;
    const state: Partial<InboxState> = this.#inbox?.getState() ?? {};
    const { items = [], unread = 0, filter = 'all', isLoaded, isLoading, hasMore, error } = state;
    drawTexts(parts, (name, values) => this.#text(name, values), { unread, error, filter });
    parts.markAll.hidden = unread === 0;
    parts.problem.hidden = !error;
    parts.skeleton.hidden = Boolean(isLoaded || error);
    const isEmpty = items.length === 0;
    const hasOlder = Boolean(
      hasMore || (isEmpty && unread > 0 && filter !== 'archived' && filter !== 'snoozed'),
    );
    parts.empty.hidden = Boolean(!isLoaded || !isEmpty || hasOlder || error);
    parts.more.hidden = !isLoaded || !hasOlder;
    parts.panel.setAttribute('aria-busy', String(Boolean(isLoading)));
    this.#drawEntries(parts.list, items);
    parts.list.hidden = isEmpty;
    if (unread !== this.#unread) {
      this.#unread = unread;
      emit(this, 'unread-change', unread);
    }
  }

  #drawEntries(list: HTMLUListElement, items: readonly InboxItem[]): void {
    const previous = this.#entries;
    this.#entries = new Map();
    for (const item of items) {
      const known = previous.get(item.id);
      const entry = known ?? createEntry(this.#host(), item);
      if (known) known.update(item);
      else if (previous.size > 0) entry.node.classList.add('new');
      this.#entries.set(item.id, entry);
    }
    for (const [id, { node }] of previous) if (!this.#entries.has(id)) node.remove();
    let next = list.firstChild;
    for (const { node } of this.#entries.values()) {
      if (node === next) next = next.nextSibling;
      else list.insertBefore(node, next);
    }
  }

  #host(): Parameters<typeof createEntry>[0] {
    return {
      language: this.#texts.language,
      text: (name, values) => this.#text(name, values),
      onChoose: (item, event) => this.#choose(item, event),
      onAction: (item, number, event) => this.#act(item, number, event),
      onToggle: (item) => this.#leave(item, { opened: isUnread(item) ? true : null }),
      onArchive: (item) => this.#leave(item, { archived: item.archived ? null : true }),
      onSnooze: (item, choice) => {
        const until = choice && snoozeTime(choice, new Date(serviceNowMs()));
        this.#leave(item, { snoozedUntil: until?.toISOString() ?? null });
      },
    };
  }
}
