import type { InboxItem } from './inbox/api.ts';
import type { Inbox } from './inbox/inbox.ts';
import type { NotificationInbox } from './inbox/inbox-element.ts';
import type { NotificationPreferences } from './inbox/preferences-element.ts';

/** The attributes that connect an element to the service. */
type Connection = {
  'base-url'?: string | undefined;
  'public-key'?: string | undefined;
  'user-id'?: string | undefined;
  'user-hash'?: string | undefined;
  theme?: 'light' | 'dark' | undefined;
} & { [text in `text-${string}`]?: string | undefined };

/** Attributes, properties and events of `<notification-inbox>` in JSX and templates. */
export type InboxAttributes = Connection & {
  'socket-url'?: string | undefined;
  'sub-notification-id'?: string | undefined;
  'env-id'?: string | undefined;
  inbox?: Inbox | undefined;
  'onunread-change'?: ((event: CustomEvent<number>) => void) | undefined;
  'onnotification-action'?: ((event: CustomEvent<{ item: InboxItem; number: 1 | 2 }>) => void) | undefined;
  'onnotification-click'?: ((event: CustomEvent<InboxItem>) => void) | undefined;
};

/** The same of `<notification-preferences>`. */
export type PreferencesAttributes = Connection & {
  'onpreference-change'?: ((event: CustomEvent) => void) | undefined;
  'onpreferences-reset'?: ((event: CustomEvent) => void) | undefined;
};

// Each framework's types know the elements. A framework that is not installed is ignored, line by line.
/** @ts-ignore: React, 18.2 or later. */
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      /** @ts-ignore: see above. */
      'notification-inbox': import('react').DetailedHTMLProps<
        import('react').HTMLAttributes<NotificationInbox>,
        NotificationInbox
      > &
        InboxAttributes;
      /** @ts-ignore: see above. */
      'notification-preferences': import('react').DetailedHTMLProps<
        import('react').HTMLAttributes<NotificationPreferences>,
        NotificationPreferences
      > &
        PreferencesAttributes;
    }
  }
}

/** @ts-ignore: Preact. */
declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      /** @ts-ignore: see above. */
      'notification-inbox': import('preact').HTMLAttributes<NotificationInbox> & InboxAttributes;
      /** @ts-ignore: see above. */
      'notification-preferences': import('preact').HTMLAttributes<NotificationPreferences> &
        PreferencesAttributes;
    }
  }
}

/** @ts-ignore: Vue. */
declare module 'vue' {
  interface GlobalComponents {
    'notification-inbox': new () => { $props: InboxAttributes };
    'notification-preferences': new () => { $props: PreferencesAttributes };
  }
}

/** @ts-ignore: Svelte. */
declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    /** @ts-ignore: see above. */
    'notification-inbox': import('svelte/elements').HTMLAttributes<NotificationInbox> & InboxAttributes;
    /** @ts-ignore: see above. */
    'notification-preferences': import('svelte/elements').HTMLAttributes<NotificationPreferences> &
      PreferencesAttributes;
  }
}
