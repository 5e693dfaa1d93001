import type { Channel } from '../generated/types.ts';
import { type InboxClient, inboxClient } from './api.ts';
import { BaseElement, h, setText, textOf } from './dom.ts';
import { type Delivery, type PreferenceRow, preferenceRows } from './preferences.ts';
import { PREFERENCES_STYLE, sheetOf } from './styles.ts';

const TEXTS = {
  title: 'Notification',
  email: 'Email',
  inapp_web: 'In-app',
  sms: 'Text message',
  call: 'Call',
  push: 'Mobile push',
  web_push: 'Browser push',
  chat: 'Chat',
  off: 'Off',
  instant: 'Instant',
  hourly: 'Hourly',
  daily: 'Daily',
  weekly: 'Weekly',
  monthly: 'Monthly',
  empty: 'There is nothing to choose yet.',
  error: 'Your preferences could not be loaded.',
  'save-error': 'The change was not saved.',
  retry: 'Try again',
  saved: 'Saved',
  loading: 'Loading preferences',
};
const CONNECTION = ['base-url', 'public-key', 'user-id', 'user-hash'];
const CHANNELS: readonly Channel[] = ['EMAIL', 'INAPP_WEB', 'SMS', 'CALL', 'PUSH', 'WEB_PUSH', 'CHAT'];

type Problem = { text: 'error' | 'save-error'; retry: () => void };

/** `<notification-preferences>`: a user's choice for each notification type and channel. */
export class NotificationPreferences extends BaseElement {
  static readonly observedAttributes = [...CONNECTION, ...Object.keys(TEXTS).map((name) => `text-${name}`)];
  #parts: ReturnType<typeof buildParts> | undefined;
  #client: InboxClient | undefined;
  #userId = '';
  #saving: Promise<void> = Promise.resolve();
  #rows: PreferenceRow[] | undefined;
  #isStarting = false;

  connectedCallback(): void {
    if (!this.#parts) {
      this.#parts = buildParts();
      const root = this.attachShadow({ mode: 'open' });
      root.adoptedStyleSheets = [sheetOf(PREFERENCES_STYLE)];
      root.append(this.#parts.problem, this.#parts.grid, this.#parts.status);
    }
    this.#start();
  }

  attributeChangedCallback(name: string): void {
    if (!this.#parts) return;
    if (CONNECTION.includes(name)) this.#start();
    else this.#draw();
  }

  /** Frameworks set attributes one after the other: load once all are there. */
  #start(): void {
    if (this.#isStarting) return;
    this.#isStarting = true;
    queueMicrotask(() => {
      this.#isStarting = false;
      const [baseUrl, key, id, hash] = CONNECTION.map((name) => this.getAttribute(name) || undefined);
      if (!this.isConnected || !baseUrl || !key || !id) return;
      this.#client = inboxClient({ baseUrl, key, user: { id, ...(hash ? { hash } : {}) } });
      this.#userId = id;
      this.#rows = undefined;
      this.#draw();
      this.#load();
    });
  }

  #text(name: string, values?: Record<string, string>): string {
    return textOf<Record<string, string>>(this, TEXTS, name, values);
  }

  async #load(): Promise<void> {
    const client = this.#client;
    try {
      const answer = await client?.preferences.get(this.#userId);
      if (client !== this.#client || !answer) return;
      this.#rows = preferenceRows(answer);
      this.#report();
      this.#draw();
    } catch {
      if (client === this.#client) this.#report({ text: 'error', retry: () => this.#load() });
    }
  }

  /** Changes are saved one after the other; one that fails is taken back. */
  #save(row: PreferenceRow, channel: Channel, delivery: Delivery, show: (delivery: Delivery) => void): void {
    const client = this.#client;
    const { notificationId, subNotificationId } = row;
    const cell = row.cells.find((each) => each.channel === channel);
    const before = cell?.delivery ?? delivery;
    if (cell) cell.delivery = delivery;
    const choice = { notificationId, channel, delivery, ...(subNotificationId ? { subNotificationId } : {}) };
    this.#saving = this.#saving.then(async () => {
      try {
        await client?.preferences.save(this.#userId, [choice]);
        this.#report();
        if (this.#parts) setText(this.#parts.status, this.#text('saved'));
        this.dispatchEvent(
          new CustomEvent('preference-change', { detail: choice, bubbles: true, composed: true }),
        );
      } catch {
        if (cell?.delivery === delivery) {
          cell.delivery = before;
          show(before);
        }
        const retry = () => {
          show(delivery);
          this.#save(row, channel, delivery, show);
        };
        this.#report({ text: 'save-error', retry });
      }
    });
  }

  #report(problem?: Problem): void {
    const parts = this.#parts;
    if (!parts) return;
    parts.problem.hidden = !problem;
    setText(parts.message, problem ? this.#text(problem.text) : '');
    setText(parts.retry, this.#text('retry'));
    setText(parts.status, '');
    parts.retry.onclick = problem?.retry ?? null;
    if (problem?.text === 'error') parts.grid.replaceChildren();
  }

  #draw(): void {
    const { grid } = this.#parts ?? {};
    if (!grid) return;
    const rows = this.#rows;
    grid.replaceChildren(...(rows ? this.#rowsOf(rows) : skeletonOf(this.#text('loading'))));
  }

  #rowsOf(rows: readonly PreferenceRow[]): HTMLElement[] {
    if (rows.length === 0) return [h('div', { class: 'empty', part: 'empty' }, this.#text('empty'))];
    const channels = CHANNELS.filter((channel) =>
      rows.some(({ cells }) => cells.some((each) => each.channel === channel)),
    );
    this.#parts?.grid.style.setProperty('--columns', String(channels.length));
    const names = channels.map((channel) => h('span', {}, this.#text(channel.toLowerCase())));
    const head = h('div', { class: 'row head', 'aria-hidden': 'true' }, h('span'), ...names);
    return [head, ...rows.map((row, index) => this.#row(row, index, channels))];
  }

  #row(row: PreferenceRow, index: number, channels: readonly Channel[]): HTMLElement {
    const id = `row-${index}`;
    const sorted = [...row.cells].sort(
      (one, other) => channels.indexOf(one.channel) - channels.indexOf(other.channel),
    );
    const labels = sorted.map((cell) => {
      const name = this.#text(cell.channel.toLowerCase());
      const label = h('label', {}, h('span', {}, name), this.#control(row, cell));
      label.style.setProperty('--column', String(channels.indexOf(cell.channel) + 2));
      return label;
    });
    const title = h('div', { class: 'title', part: 'type', id }, row.title);
    return h('div', { class: 'row', part: 'row', role: 'group', 'aria-labelledby': id }, title, ...labels);
  }

  /** A switch for on and off, else a list of the options. */
  #control(row: PreferenceRow, cell: PreferenceRow['cells'][number]): HTMLElement {
    const { channel, options, delivery } = cell;
    const isSwitch = options.length === 2 && options.includes('off');
    if (isSwitch) {
      const on = options.find((each) => each !== 'off') ?? 'instant';
      const input = h('input', { type: 'checkbox', role: 'switch', part: 'switch' });
      const show = (next: Delivery) => {
        input.checked = next !== 'off';
      };
      show(delivery);
      input.addEventListener('change', () => this.#save(row, channel, input.checked ? on : 'off', show));
      return input;
    }
    const select = h('select', { part: 'select' });
    for (const option of options) select.append(h('option', { value: option }, this.#text(option)));
    select.value = delivery;
    select.disabled = options.length === 1;
    const show = (next: Delivery) => {
      select.value = next;
    };
    select.addEventListener('change', () => {
      const chosen = options.find((each) => each === select.value);
      if (chosen) this.#save(row, channel, chosen, show);
    });
    return select;
  }
}

function buildParts() {
  const message = h('span');
  const retry = h('button', { class: 'plain', part: 'retry', type: 'button' });
  const problem = h('div', { class: 'problem', part: 'error', role: 'alert', hidden: '' }, message, retry);
  const grid = h('div', { class: 'grid', part: 'grid' });
  return { message, retry, problem, grid, status: h('div', { class: 'sr', role: 'status' }) };
}

function skeletonOf(text: string): HTMLElement[] {
  const bones = ['short', 'long', 'middle'].map((width) =>
    h('div', { class: 'skeleton' }, h('div', { class: `bone ${width}` })),
  );
  return [h('span', { class: 'sr' }, text), ...bones];
}
