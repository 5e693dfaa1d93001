import { useEffect, useState } from 'preact/hooks';
import { isDown } from '../state/connection.ts';
import { isHelpOpen, VIEW_KEYS } from '../state/keys.ts';
import { clockOffsetMs, outbox, serviceNowMs } from '../state/live.ts';
import { durationText } from '../state/outcome.ts';
import { addressOf, place } from '../state/route.ts';
import { config, isSandbox } from '../state/service.ts';
import { ClockView } from '../views/clock.tsx';
import { ComponentsView } from '../views/components.tsx';
import { ComposeView } from '../views/compose.tsx';
import { NotificationsView } from '../views/notifications.tsx';
import { OutboxView } from '../views/outbox.tsx';
import { SuppressionsView } from '../views/suppressions.tsx';
import { TopicsView } from '../views/topics.tsx';
import { TypesView } from '../views/types.tsx';
import { UsageView } from '../views/usage.tsx';
import { UsersView } from '../views/users.tsx';
import { WaitingView } from '../views/waiting.tsx';
import { Boundary } from './basics.tsx';
import { Search } from './search.tsx';

const VIEWS = {
  outbox: { title: 'Outbox', view: OutboxView, isSandboxOnly: true },
  notifications: { title: 'Notifications', view: NotificationsView, isSandboxOnly: false },
  compose: { title: 'Compose', view: ComposeView, isSandboxOnly: false },
  types: { title: 'Types', view: TypesView, isSandboxOnly: false },
  components: { title: 'Components', view: ComponentsView, isSandboxOnly: false },
  users: { title: 'Users', view: UsersView, isSandboxOnly: false },
  topics: { title: 'Topics', view: TopicsView, isSandboxOnly: false },
  suppressions: { title: 'Suppressed addresses', view: SuppressionsView, isSandboxOnly: false },
  waiting: { title: 'Waiting', view: WaitingView, isSandboxOnly: false },
  clock: { title: 'Clock', view: ClockView, isSandboxOnly: true },
  usage: { title: 'Usage', view: UsageView, isSandboxOnly: false },
} as const;
type ViewName = keyof typeof VIEWS;

/** Views that are opened from another one, which stays marked. */
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
              onClick={() => (isHelpOpen.value = !isHelpOpen.value)}
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
  ['/', 'search'],
  ['j, k', 'next, previous'],
  ['Esc', 'leave a field, go back'],
  ...Object.entries(VIEW_KEYS).map(([key, view]): [string, string] => [`g ${key}`, view]),
  ['?', 'this list'],
];

function Help() {
  return (
    <dialog
      open
      aria-label="Keys"
      style={{ position: 'fixed', inset: '20% auto auto 50%', transform: 'translateX(-50%)', zIndex: 4 }}
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
      <p class="actions" style={{ marginTop: '12px' }}>
        <button type="button" onClick={() => (isHelpOpen.value = false)}>
          Close
        </button>
      </p>
    </dialog>
  );
}
