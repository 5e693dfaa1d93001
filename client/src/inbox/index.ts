import { NotificationInbox } from './inbox-element.ts';
import { NotificationPreferences } from './preferences-element.ts';

export type { InboxAttributes, PreferencesAttributes } from '../frameworks.ts';
export type { InboxClient, InboxItem } from './api.ts';
export { createInbox, type Inbox, type InboxOptions } from './inbox.ts';
export type { InboxState } from './inbox-state.ts';
export type { Filter, Marks } from './items.ts';
export { NotificationInbox, NotificationPreferences };

const ELEMENTS = {
  'notification-inbox': NotificationInbox,
  'notification-preferences': NotificationPreferences,
};

declare global {
  interface HTMLElementTagNameMap {
    'notification-inbox': NotificationInbox;
    'notification-preferences': NotificationPreferences;
  }
}

for (const [name, element] of Object.entries(ELEMENTS)) {
  if (globalThis.customElements && !customElements.get(name)) customElements.define(name, element);
}
