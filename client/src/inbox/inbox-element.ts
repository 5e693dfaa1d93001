import { serviceNowMs } from '../request.ts';
import type { InboxItem } from './api.ts';
import { BaseElement, CONNECTION, emit, languageOf, setText, sheetsOf, starterOf, textOf } from './dom.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { buildParts, drawTexts, INBOX_TEXTS, type Parts, place, showOpen } from './inbox-parts.ts';
import { arrivedItem, type InboxState } from './inbox-state.ts';
import { isUnread } from './items.ts';
import { createEntry, type Entry } from './list-entry.ts';
import { snoozeTime } from './snooze.ts';
import { INBOX_STYLE } from './styles.ts';

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
  #start = starterOf(this, (connection) => {
    if (!this.#inbox) this.#attach(createInbox(connection), true);
  });
  #place = () => place(this.#parts);

  constructor() {
    super();
    // A property that was set before the element was defined hides the accessor.
    const { inbox } = this;
    Reflect.deleteProperty(this, 'inbox');
    if (inbox) this.inbox = inbox;
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

  #text(name: keyof typeof INBOX_TEXTS, values?: Record<string, string | number>): string {
    return textOf(this, INBOX_TEXTS, name, values);
  }

  #announce(before: InboxState | undefined, state: InboxState): void {
    const item = arrivedItem(before, state);
    if (item && this.#parts) setText(this.#parts.status, this.#text('arrived', { title: item.title }));
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
    parts.retry.onclick = () => this.#inbox?.reload();
    parts.more.onclick = () => this.#inbox?.loadMore();
    return parts;
  }

  #showOpen(isOpen: boolean): void {
    if (this.#parts) showOpen(this.#parts, isOpen, this.#place);
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

  /** The next entry gets the focus of the removed one. */
  #leave(item: InboxItem, act: () => void): void {
    const index = [...this.#entries.keys()].indexOf(item.id);
    act();
    this.#focusEntry(Math.min(index, this.#entries.size - 1));
  }

  #draw(): void {
    const parts = this.#parts;
    if (!parts) return;
    const { items = [], unread = 0, isLoaded, isLoading, hasMore, error } = this.#inbox?.getState() ?? {};
    drawTexts(parts, (name, values) => this.#text(name, values), unread, error);
    parts.markAll.hidden = unread === 0;
    parts.problem.hidden = !error;
    parts.skeleton.hidden = Boolean(isLoaded || error);
    const isEmpty = items.length === 0;
    const hasOlder = Boolean(hasMore || (isEmpty && unread > 0));
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
      language: languageOf(this),
      text: (name, values) => this.#text(name, values),
      onChoose: (item, event) => this.#choose(item, event),
      onToggle: (item) => this.#inbox?.mark([item.trackingId], { opened: isUnread(item) ? true : null }),
      onArchive: (item) => this.#leave(item, () => this.#inbox?.archive(item.trackingId)),
      onSnooze: (item, choice) =>
        this.#leave(item, () =>
          this.#inbox?.snooze(snoozeTime(choice, new Date(serviceNowMs())), item.trackingId),
        ),
    };
  }
}
