import { BaseElement, upgrade } from './dom.ts';
import type { OwnTexts } from './lazy.ts';
import { loadPreferences } from './lazy-preferences.ts';
import type { PreferencesView } from './preferences-view.ts';

/** `<notification-preferences>`: a user's choice for each notification type and channel. */
export class NotificationPreferences extends BaseElement {
  #texts: OwnTexts = {};
  #loading: Promise<PreferencesView> | undefined;
  #view: PreferencesView | undefined;

  constructor() {
    super();
    upgrade(this, ['texts']);
  }

  /** Texts by name, in place of the language's texts: `{ quiet: 'Do not disturb' }`. */
  get texts(): OwnTexts {
    return this.#texts;
  }

  set texts(texts: OwnTexts | undefined) {
    this.#texts = texts ?? {};
    this.#view?.draw();
  }

  connectedCallback(): void {
    this.#loading ??= loadPreferences().then(({ PreferencesView }) => {
      this.#view = new PreferencesView(this);
      return this.#view;
    });
    this.#loading.then(
      (view) => this.isConnected && view.start(),
      () => {
        this.#loading = undefined;
      },
    );
  }

  disconnectedCallback(): void {
    this.#view?.stop();
  }
}
