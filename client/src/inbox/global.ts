import { createInbox, NotificationInbox, NotificationPreferences } from './index.ts';

// A page without a bundler has no imports.
Object.assign(globalThis, { notificationInbox: { createInbox, NotificationInbox, NotificationPreferences } });
