import { ServiceError } from '../errors.ts';
import type { Channel } from '../generated/types.ts';
import { inboxClient, type PreferencesClient } from './api.ts';
import { CONNECTION, emit, h, say, setText, sheetsOf, starterOf } from './dom.ts';
import { channelsOf, type Delivery, type PreferenceRow, preferenceRows } from './preferences.ts';
import { buildParts, createControl, PREFERENCE_TEXTS, type PreferenceParts } from './preferences-parts.ts';
import { createQuietSection, type QuietContext, type QuietUser } from './quiet-section.ts';
import { PREFERENCES_STYLE } from './styles.ts';
import { createTexts, type Host, type TextValues } from './texts.ts';

type PreferenceCell = PreferenceRow['cells'][number];

/** A user who was never stored has no quiet hours. */
function noUser(error: unknown): QuietUser {
  if (error instanceof ServiceError && error.code === 'RESOURCE_NOT_FOUND') return {};
  throw error;
}

/** The choices of a user for each notification type and channel, in the element. */
export class PreferencesView {
  readonly #host: Host;
  readonly #parts: PreferenceParts;
  readonly #texts: ReturnType<typeof createTexts>;
  #client: PreferencesClient | undefined;
  #userId = '';
  #saving: Promise<void> = Promise.resolve();
  /** Only the last one counts. */
  #loads = 0;
  #rows: PreferenceRow[] | undefined;
  #user: QuietUser = {};
  readonly #start: () => void;
  /** State of the reset button: whether the user has choices to reset, and whether it asks for a second click. */
  #hasChoices = false;
  #isAsking = false;

  constructor(host: Host) {
    this.#host = host;
    this.#parts = buildParts();
    this.#texts = createTexts(host, 'preferences', PREFERENCE_TEXTS, () => this.#changeLanguage());
    this.#start = starterOf(host, (connection) => {
      this.#client = inboxClient(connection);
      this.#userId = connection.user.id;
      this.#rows = undefined;
      this.draw();
      this.#load();
    });
    const root = host.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = sheetsOf(PREFERENCES_STYLE);
    const { problem, grid, reset, status } = this.#parts;
    root.append(problem, grid, reset, status);
    reset.onclick = () => this.#reset();
    reset.onblur = () => this.#askReset(false);
    const observer = new MutationObserver((changes) => {
      const names = changes.map(({ attributeName }) => attributeName ?? '');
      if (names.some((name) => CONNECTION.includes(name))) this.#start();
      else if (names.some((name) => name.startsWith('text-'))) this.draw();
    });
    observer.observe(host, { attributes: true });
  }

  start(): void {
    // The texts of its language first: it is not drawn in English before.
    this.#texts.start().then(this.#start);
  }

  stop(): void {
    this.#texts.stop();
  }

  /** Titles of types are in the language of the page too. */
  #changeLanguage(): void {
    if (this.#rows) this.#load();
  }

  #text(name: string, values?: TextValues): string {
    return this.#texts.text(name, values);
  }

  async #load(): Promise<void> {
    this.#loads += 1;
    const load = this.#loads;
    try {
      const [response, user] = await Promise.all([
        this.#client?.preferences.get(this.#userId, { locale: this.#texts.language() }),
        this.#client?.users.get(this.#userId).catch(noUser),
      ]);
      if (load !== this.#loads || !response) return;
      this.#rows = preferenceRows(response);
      this.#user = user ?? {};
      this.#hasChoices = response.preferences.length > 0;
      this.#report();
      this.draw();
    } catch {
      if (load === this.#loads) this.#report({ text: 'error', retry: () => this.#load() });
    }
  }

  /** Changes are saved one after the other; a failed one is reverted, and can be made again. */
  #enqueue(save: () => Promise<void>, retry: () => void, revert?: () => void): void {
    this.#saving = this.#saving.then(async () => {
      try {
        await save();
      } catch {
        revert?.();
        this.#report({ text: 'save-error', retry });
      }
    });
  }

  #showSaved(): void {
    this.#report();
    this.#say('saved');
  }

  #say(text: string): void {
    say(this.#parts.status, this.#text(text));
  }

  #save(
    row: PreferenceRow,
    cell: PreferenceCell,
    delivery: Delivery,
    show: (delivery: Delivery) => void,
  ): void {
    const client = this.#client;
    const { notificationId, subNotificationId } = row;
    const { channel, delivery: before } = cell;
    cell.delivery = delivery;
    const choice = { notificationId, channel, delivery, ...(subNotificationId ? { subNotificationId } : {}) };
    this.#enqueue(
      async () => {
        await client?.preferences.save(this.#userId, [choice]);
        this.#showSaved();
        this.#hasChoices = true;
        this.#askReset(false);
        emit(this.#host, 'preference-change', choice);
      },
      () => {
        show(delivery);
        this.#save(row, cell, delivery, show);
      },
      () => {
        if (cell.delivery !== delivery) return;
        cell.delivery = before;
        show(before);
      },
    );
  }

  /** The second click within the same focus resets every choice. */
  #reset(): void {
    if (this.#isAsking) this.#sendReset();
    else this.#askReset(true);
  }

  #sendReset(): void {
    const client = this.#client;
    this.#enqueue(
      async () => {
        await client?.preferences.reset(this.#userId);
        await this.#load();
        this.#say('was-reset');
        emit(this.#host, 'preferences-reset');
      },
      () => this.#sendReset(),
    );
  }

  #askReset(isAsking: boolean): void {
    this.#isAsking = isAsking;
    const { reset } = this.#parts;
    setText(reset, this.#text(isAsking ? 'reset-confirm' : 'reset'));
    reset.hidden = !this.#hasChoices || !this.#rows;
  }

  #report(problem?: { text: 'error' | 'save-error'; retry: () => void }): void {
    const parts = this.#parts;
    parts.problem.hidden = !problem;
    setText(parts.message, problem ? this.#text(problem.text) : '');
    setText(parts.retry, this.#text('retry'));
    parts.retry.onclick = problem?.retry ?? null;
    if (problem?.text === 'error') parts.grid.replaceChildren();
  }

  draw(): void {
    const { grid, loading, skeleton } = this.#parts;
    setText(loading, this.#text('loading'));
    const rows = this.#rows;
    this.#askReset(false);
    grid.replaceChildren(...(rows ? [...this.#rowsOf(rows), this.#quiet(rows)] : [skeleton]));
  }

  /** Once no change is being saved, the section shows what is stored. */
  #quiet(rows: readonly PreferenceRow[]): HTMLElement {
    let saving = 0;
    const save: QuietContext['save'] = (change) => {
      saving += 1;
      const settle = () => --saving || show(this.#user);
      this.#enqueue(
        async () => {
          this.#user = (await this.#client?.users.save(this.#userId, change)) ?? {};
          this.#showSaved();
          settle();
        },
        () => save(change),
        settle,
      );
    };
    const { element, show } = createQuietSection({
      text: (name, values) => this.#text(name, values),
      language: this.#texts.language(),
      channels: channelsOf(rows),
      save,
    });
    show(this.#user);
    return element;
  }

  #rowsOf(rows: readonly PreferenceRow[]): HTMLElement[] {
    if (rows.length === 0) return [h('div', { class: 'empty', part: 'empty' }, this.#text('empty'))];
    const channels = channelsOf(rows);
    this.#parts.grid.style.setProperty('--columns', String(channels.length));
    const names = channels.map((channel) => h('span', {}, this.#text(channel.toLowerCase())));
    const head = h('div', { class: 'row head', 'aria-hidden': 'true' }, h('span'), ...names);
    return [
      head,
      ...rows.flatMap((row, index) => {
        const { category } = row;
        const isFirst = category && category !== rows[index - 1]?.category;
        const shown = this.#row(row, index, channels);
        return isFirst ? [h('h2', { class: 'row', part: 'category' }, category), shown] : [shown];
      }),
    ];
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
    if (row.required) title.append(h('small', { part: 'required' }, this.#text('required')));
    return h('div', { class: 'row', part: 'row', role: 'group', 'aria-labelledby': id }, title, ...labels);
  }

  #control(row: PreferenceRow, cell: PreferenceCell): HTMLElement {
    return createControl({
      cell,
      textOf: (option) => this.#text(option),
      onChoose: (delivery, show) => this.#save(row, cell, delivery, show),
    });
  }
}
