import 'notification-delivery-client/inbox';
import { useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';

/** Your server provides these; in secure mode, it also passes `user-hash` to the page. */
const query = new URLSearchParams(location.search);
const baseUrl = query.get('url') ?? 'http://localhost:3000';
const connection = {
  'base-url': baseUrl,
  'public-key': query.get('key') ?? '',
  'user-id': query.get('user') ?? 'ada',
};

function App() {
  const bell = useRef<HTMLElement>(null);
  const [unread, setUnread] = useState(0);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onChange = (event: Event) => setUnread((event as CustomEvent<number>).detail);
    const element = bell.current;
    element?.addEventListener('unread-change', onChange);
    return () => element?.removeEventListener('unread-change', onChange);
  }, []);
  return (
    <>
      <header style={{ display: 'flex', justifyContent: 'space-between' }}>
        <h1>{unread > 0 ? `(${unread}) ` : ''}Shop</h1>
        <notification-inbox
          ref={bell}
          {...connection}
          socket-url={baseUrl.replace(/^http/, 'ws')}
          env-id={query.get('env') ?? ''}
        />
      </header>
      <button type="button" onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide' : 'Show'} what I get
      </button>
      {isOpen && <notification-preferences {...connection} />}
    </>
  );
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'notification-inbox': React.HTMLAttributes<HTMLElement> &
        Record<string, unknown> & { ref?: React.Ref<HTMLElement> };
      'notification-preferences': React.HTMLAttributes<HTMLElement> & Record<string, unknown>;
    }
  }
}

createRoot(document.getElementById('root') as HTMLElement).render(<App />);
