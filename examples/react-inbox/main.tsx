import {
  NotificationInbox,
  NotificationPreferences,
  NotificationProvider,
  useInbox,
} from 'notification-delivery-client/react';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

/** Your server provides these; in secure mode, it also passes `userHash` to the page. */
const query = new URLSearchParams(location.search);
const baseUrl = query.get('url') ?? 'http://localhost:3000';
const connection = {
  baseUrl,
  publicKey: query.get('key') ?? '',
  userId: query.get('user') ?? 'ada',
  socketUrl: baseUrl.replace(/^http/, 'ws'),
  envId: query.get('env') ?? '',
};

function App() {
  const { unread } = useInbox();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <header style={{ display: 'flex', justifyContent: 'space-between' }}>
        <h1>{unread > 0 ? `(${unread}) ` : ''}Shop</h1>
        <NotificationInbox />
      </header>
      <button type="button" onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide' : 'Show'} what I get
      </button>
      {isOpen && <NotificationPreferences />}
    </>
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <NotificationProvider {...connection}>
    <App />
  </NotificationProvider>,
);
