import { subscribeToWebPush, type WebPushResult } from 'notification-delivery-client/web-push';

/** Your server provides these; in secure mode, it also passes the user hash to the page. */
const query = new URLSearchParams(location.search);
const options = {
  baseUrl: query.get('url') ?? 'http://localhost:3000',
  key: query.get('key') ?? '',
  user: { id: query.get('user') ?? 'ada' },
};

const WORDS: Record<WebPushResult['state'], string> = {
  subscribed: 'You will be told.',
  denied: 'Notifications of this site are blocked: allow them in the settings of the browser.',
  dismissed: 'Press the button again when you want to be told.',
  off: 'Web push is off in this environment.',
  unsupported: 'This browser has no notifications.',
};

async function subscribe(): Promise<void> {
  const status = document.querySelector('[role=status]');
  const { state } = await subscribeToWebPush(options);
  if (status) status.textContent = WORDS[state];
}

// Browsers ask for permission only after a click. Later, the subscription is renewed without a question.
document.querySelector('button')?.addEventListener('click', subscribe);
if (globalThis.Notification?.permission === 'granted') subscribe();
