import { useEffect, useState } from 'preact/hooks';
import { isDown } from '../state/connection.ts';
import { hasSingleKeys, isHelpOpen, setSingleKeys, VIEW_KEYS } from '../state/keys.ts';
import { outbox } from '../state/live.ts';
import { durationText } from '../state/outcome.ts';
import { addressOf, place } from '../state/route.ts';
import { clockOffsetMs, config, isSandbox, serviceNowMs } from '../state/service.ts';
import { NotificationsView } from '../views/notifications.tsx';
import { OutboxView } from '../views/outbox.tsx';
import { TypesView } from '../views/types.tsx';
import { Boundary } from './basics.tsx';
import { lazy, loadAll } from './lazy.tsx';
import { Search } from './search.tsx';

/** What is shown first has loaded by then. */
const IDLE_MS = 2000;
const VIEWS = {
  outbox: { title: 'Outbox', view: OutboxView, isSandboxOnly: true },
  notifications: { title: 'Notifications', view: NotificationsView, isSandboxOnly: false },
  compose: {
    title: 'Compose',
    view: lazy(async () => (await import('../views/compose.tsx')).ComposeView),
    isSandboxOnly: false,
  },
  types: {
    title: 'Types',
    view: TypesView,
    isSandboxOnly: false,
  },
  components: {
    title: 'Components',
    view: lazy(async () => (await import('../views/components.tsx')).ComponentsView),
    isSandboxOnly: false,
  },
  users: {
    title: 'Users',
    view: lazy(async () => (await import('../views/users.tsx')).UsersView),
    isSandboxOnly: false,
  },
  topics: {
    title: 'Topics',
    view: lazy(async () => (await import('../views/topics.tsx')).TopicsView),
    isSandboxOnly: false,
  },
  suppressions: {
    title: 'Suppressed addresses',
    view: lazy(async () => (await import('../views/suppressions.tsx')).SuppressionsView),
    isSandboxOnly: false,
  },
  waiting: {
    title: 'Waiting',
    view: lazy(async () => (await import('../views/waiting.tsx')).WaitingView),
    isSandboxOnly: false,
  },
  requests: {
    title: 'Requests',
    view: lazy(async () => (await import('../views/requests.tsx')).RequestsView),
    isSandboxOnly: true,
  },
  clock: {
    title: 'Clock',
    view: lazy(async () => (await import('../views/clock.tsx')).ClockView),
    isSandboxOnly: true,
  },
  usage: {
    title: 'Usage',
    view: lazy(async () => (await import('../views/usage.tsx')).UsageView),
    isSandboxOnly: false,
  },
} as const;
type ViewName = keyof typeof VIEWS;

/** Views inside another view, which stays marked. */
const INSIDE: Partial<Record<ViewName, ViewName>> = {
  components: 'types',
  topics: 'users',
  suppressions: 'users',
};

const IN_BAR = 4;

export function Frame() {
  const names = (Object.keys(VIEWS) as ViewName[]).filter(
    (name) => isSandbox() || !VIEWS[name].isSandboxOnly,
  );
  const current = names.find((name) => name === place.value.view) ?? names[0] ?? 'notifications';
  const { view: View, title } = VIEWS[current];
  const isUnknown = !Object.hasOwn(VIEWS, place.value.view);
  useEffect(() => {
    const wait = setTimeout(loadAll, IDLE_MS);
    return () => clearTimeout(wait);
  }, []);
  useEffect(() => {
    document.title = `${title} · Studio`;
  }, [title]);
  const listed = names.filter((name) => !(name in INSIDE));
  const marked = INSIDE[current] ?? current;
  const isInMore = listed.indexOf(marked) >= IN_BAR;
  return (
    <div class="shell">
      <header class="masthead">
        <div class="brand">
          <span aria-hidden="true">◆</span> Studio
        </div>
        <div class="top">
          <Search />
          <div class="end">
            <Where />
            {isSandbox() && <ClockChip />}
            <button
              type="button"
              class="chip hide-small"
              aria-label="Keyboard shortcuts"
              title="Keyboard shortcuts (?)"
              onClick={() => (isHelpOpen.value = true)}
            >
              ?
            </button>
          </div>
        </div>
      </header>
      <nav class="rail" aria-label="Views">
        {listed.slice(0, IN_BAR).map((name) => (
          <RailLink key={name} name={name} current={marked} />
        ))}
        <details class="more" key={location.hash}>
          <summary class={isInMore ? 'current' : ''}>More</summary>
          <div>
            {listed.slice(IN_BAR).map((name) => (
              <RailLink key={name} name={name} current={marked} />
            ))}
          </div>
        </details>
      </nav>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a page without controls scrolls by keyboard */}
      <main id="main" tabIndex={0}>
        {isDown.value && (
          <p class="offline" role="alert">
            The service does not respond. What you enter stays here, and changes wait until it is back.
          </p>
        )}
        {isUnknown ? (
          <Unknown />
        ) : (
          <Boundary>
            <View />
          </Boundary>
        )}
      </main>
      {isHelpOpen.value && <Help />}
    </div>
  );
}

/** An address that no view has, such as a mistyped link. */
function Unknown() {
  return (
    <div class="page">
      <h1>No such page</h1>
      <p>
        The studio has no page <code>{place.value.view}</code>. Choose a view, or{' '}
        <a href={addressOf([])}>start over</a>.
      </p>
    </div>
  );
}

function RailLink({ name, current }: { name: ViewName; current: ViewName }) {
  const count = name === 'outbox' ? outbox.value?.length : undefined;
  return (
    <a href={addressOf([name])} aria-current={name === current ? 'page' : undefined}>
      {VIEWS[name].title}
      {count ? <span class="count">{count}</span> : null}
    </a>
  );
}

function Where() {
  const { mode, name, isReadOnly } = config.value ?? {};
  if (isDown.value) return <span class="chip stage">○ {name}: not connected</span>;
  if (mode === 'sandbox') return <span class="chip sandbox hide-small">● local sandbox</span>;
  return (
    <span class="chip stage">
      {isReadOnly ? '🔒 ' : ''}
      {name}
      {isReadOnly ? ' (read-only)' : ''}
    </span>
  );
}

function ClockChip() {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  const offset = clockOffsetMs.value;
  const time = new Date(serviceNowMs()).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
  const shift =
    Math.abs(offset) < 30_000 ? '' : ` ${offset > 0 ? '+' : '−'}${durationText(Math.abs(offset))}`;
  return (
    <a class="chip" href={addressOf(['clock'])} title="The service clock">
      {time}
      {shift}
    </a>
  );
}

const KEYS: readonly [string, string][] = [
  ['/ or Ctrl K', 'search'],
  ['j, k', 'next, previous'],
  ['Esc', 'leave a field, go back'],
  ['Ctrl S', 'save'],
  ['Ctrl Enter', 'send'],
  ...Object.entries(VIEW_KEYS).map(([key, view]): [string, string] => [`g ${key}`, view]),
  ['?', 'this list'],
];

function Help() {
  const close = () => {
    isHelpOpen.value = false;
  };
  return (
    <dialog
      ref={(element) => {
        if (element && !element.open) element.showModal();
      }}
      onClose={close}
      aria-label="Keys"
    >
      <h2>Keys</h2>
      <dl>
        {KEYS.map(([key, what]) => (
          <>
            <dt class="mono">{key}</dt>
            <dd>{what}</dd>
          </>
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={hasSingleKeys.value}
          onChange={({ currentTarget }) => setSingleKeys(currentTarget.checked)}
        />
        Keys without Ctrl or ⌘
      </label>
      <p class="actions" style={{ marginTop: '12px' }}>
        <button type="button" onClick={close}>
          Close
        </button>
      </p>
    </dialog>
  );
}
