import {
  createContext,
  createElement,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { InboxItem } from '../inbox/api.ts';
import { createInbox, type Inbox } from '../inbox/inbox.ts';
import type { InboxState } from '../inbox/inbox-state.ts';
import type { Filter } from '../inbox/items.ts';
import '../inbox/index.ts';

/** The user whose notifications are shown, and the addresses of the service. */
export type NotificationConnection = {
  baseUrl: string;
  /** A public key: `nds_pk_…`. */
  publicKey: string;
  userId: string;
  /** In secure mode, from your server. */
  userHash?: string | undefined;
  /** Address of the WebSocket API; with it and `envId`, new notifications arrive live. */
  socketUrl?: string | undefined;
  envId?: string | undefined;
  /** Only the notifications of this sub-notification. */
  subNotificationId?: string | undefined;
};

type Provided = { connection: NotificationConnection; inbox: Inbox | undefined };

const Provided = createContext<Provided | undefined>(undefined);

/** Connects the components and hooks inside it to one inbox, which it closes when it is unmounted. */
export function NotificationProvider({
  children,
  ...connection
}: NotificationConnection & { children?: ReactNode }): ReactElement {
  const { baseUrl, publicKey, userId, userHash, socketUrl, envId, subNotificationId } = connection;
  const [inbox, setInbox] = useState<Inbox>();
  useEffect(() => {
    const user = { id: userId, ...(userHash === undefined ? {} : { hash: userHash }) };
    const opened = createInbox({ baseUrl, key: publicKey, user, socketUrl, envId, subNotificationId });
    setInbox(opened);
    return () => {
      opened.close();
      setInbox(undefined);
    };
  }, [baseUrl, publicKey, userId, userHash, socketUrl, envId, subNotificationId]);
  const value = useMemo(
    () => ({
      connection: { baseUrl, publicKey, userId, userHash, socketUrl, envId, subNotificationId },
      inbox,
    }),
    [baseUrl, publicKey, userId, userHash, socketUrl, envId, subNotificationId, inbox],
  );
  return createElement(Provided.Provider, { value }, children);
}

function useProvided(): Provided {
  const provided = useContext(Provided);
  if (!provided) throw new Error('This component or hook must be inside <NotificationProvider>.');
  return provided;
}

const NOTHING: InboxState = {
  filter: 'all',
  items: [],
  unread: 0,
  isLoaded: false,
  isLoading: false,
  hasMore: false,
  isLive: false,
  error: undefined,
};
const nothing = () => NOTHING;
const never = () => () => {};

/** The state of the inbox, and what can be done with its items. */
export type UseInbox = InboxState & {
  markRead(...trackingIds: string[]): Promise<void>;
  markUnread(...trackingIds: string[]): Promise<void>;
  markAllRead(): Promise<void>;
  archive(...trackingIds: string[]): Promise<void>;
  unarchive(...trackingIds: string[]): Promise<void>;
  /** Shows all items, or only unread, archived or snoozed items. */
  show(filter: Filter): Promise<void>;
  /** Hides notifications until a time within a year. */
  snooze(until: Date, ...trackingIds: string[]): Promise<void>;
  loadMore(): Promise<void>;
  reload(): Promise<void>;
};

/** The inbox of the provider; renders again with each change. */
export function useInbox(): UseInbox {
  const { inbox } = useProvided();
  const state = useSyncExternalStore(inbox?.subscribe ?? never, inbox?.getState ?? nothing, nothing);
  const actions = useMemo(() => actionsOf(inbox), [inbox]);
  return { ...state, ...actions };
}

function actionsOf(inbox: Inbox | undefined): Omit<UseInbox, keyof InboxState> {
  return {
    markRead: async (...trackingIds) => inbox?.open(...trackingIds),
    markUnread: async (...trackingIds) => inbox?.mark(trackingIds, { opened: null }),
    markAllRead: async () => inbox?.openAll(),
    archive: async (...trackingIds) => inbox?.archive(...trackingIds),
    unarchive: async (...trackingIds) => inbox?.mark(trackingIds, { archived: null }),
    show: async (filter) => inbox?.show(filter),
    snooze: async (until, ...trackingIds) => inbox?.snooze(until, ...trackingIds),
    loadMore: async () => inbox?.loadMore(),
    reload: async () => inbox?.reload(),
  };
}

type ElementProps = {
  className?: string | undefined;
  theme?: 'light' | 'dark' | undefined;
  /** Texts by name, without `text-`: `{ title: 'Mitteilungen' }`. */
  texts?: Readonly<Record<string, string>> | undefined;
};

export type NotificationInboxProps = ElementProps & {
  /** Return false to keep the link from opening, so that your router can handle it. */
  onNotificationClick?: ((item: InboxItem) => unknown) | undefined;
  onUnreadChange?: ((unread: number) => void) | undefined;
};

/** The bell with its list, as `<notification-inbox>`. */
export function NotificationInbox(props: NotificationInboxProps): ReactElement {
  const { inbox } = useProvided();
  const ref = useRef<HTMLElement & { inbox?: Inbox | undefined }>(null);
  useEffect(() => {
    if (ref.current) ref.current.inbox = inbox;
  }, [inbox]);
  const { onNotificationClick, onUnreadChange } = props;
  useListener(ref, 'notification-click', (event: CustomEvent<InboxItem>) => {
    if (onNotificationClick?.(event.detail) === false) event.preventDefault();
  });
  useListener(ref, 'unread-change', (event: CustomEvent<number>) => onUnreadChange?.(event.detail));
  return createElement('notification-inbox', { ref, ...attributesOf(props) });
}

export type NotificationPreferencesProps = ElementProps & { onChange?: (() => void) | undefined };

/** The choices of the user, as `<notification-preferences>`. */
export function NotificationPreferences(props: NotificationPreferencesProps): ReactElement {
  const { connection } = useProvided();
  const ref = useRef<HTMLElement>(null);
  useListener(ref, 'preference-change', () => props.onChange?.());
  useListener(ref, 'preferences-reset', () => props.onChange?.());
  return createElement('notification-preferences', {
    ref,
    ...attributesOf(props),
    'base-url': connection.baseUrl,
    'public-key': connection.publicKey,
    'user-id': connection.userId,
    'user-hash': connection.userHash,
  });
}

/** Before version 19, React sets no listeners of its own events on elements, and no `className`. */
function attributesOf({ className, theme, texts = {} }: ElementProps): Record<string, string | undefined> {
  const named = Object.entries(texts).map(([name, text]) => [`text-${name}`, text]);
  return { class: className, theme, ...Object.fromEntries(named) };
}

function useListener<E extends Event>(
  ref: { current: HTMLElement | null },
  name: string,
  listener: (event: E) => void,
): void {
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => {
    const element = ref.current;
    const listen = (event: Event) => latest.current(event as E);
    element?.addEventListener(name, listen);
    return () => element?.removeEventListener(name, listen);
  }, [ref, name]);
}
