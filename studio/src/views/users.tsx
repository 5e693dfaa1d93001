import { useState } from 'preact/hooks';
import type { User } from '../../../client/src/generated/types.ts';
import { act, Empty, Problem, Skeleton, Time, useLoaded } from '../parts/basics.tsx';
import { logChanges } from '../state/changes.ts';
import { addressOf, go, place } from '../state/route.ts';
import { api } from '../state/service.ts';
import { Quiet } from './quiet.tsx';
import { Preferences } from './user-preferences.tsx';

/** Users, newest first; one with contact data, preferences and notifications. */
export function UsersView() {
  const id = place.value.path[0];
  const { value, error, reload } = useLoaded(
    () => api.users.list({ limit: 100 }),
    [logChanges.value.count === 0],
  );
  return (
    <div class={`split ${id ? 'has-detail' : ''}`}>
      <section class="pane" aria-label="Users">
        <h1 class="hidden">Users</h1>
        <NewUser onSaved={reload} />
        <p class="bar">
          <a class="small" href={addressOf(['topics'])}>
            Topics
          </a>
        </p>
        {error ? <Problem error={error} /> : null}
        {!value && !error && <Skeleton />}
        {value?.users.length === 0 && (
          <Empty title="No users yet">
            A user appears with the first notification to them, or with the form above.
          </Empty>
        )}
        <ul class="scroll rows" aria-label="Users">
          {value?.users.map((user) => (
            <li key={user.id}>
              <a
                class="row static"
                href={addressOf(['users', user.id])}
                aria-current={user.id === id ? 'true' : undefined}
              >
                <span class="line">
                  <span class="strong clip">{user.id}</span>
                  <span class="small faint">
                    <Time atMs={Date.parse(user.lastSeenTime ?? user.updatedAt ?? '')} />
                  </span>
                </span>
                <span class="small faint clip">
                  {[user.email, user.number].filter(Boolean).join(' · ') || 'no contact data'}
                </span>
              </a>
            </li>
          ))}
        </ul>
      </section>
      <section class="pane" aria-label="User">
        {id ? (
          <Detail id={id} key={id} onGone={reload} />
        ) : (
          <Empty title="Choose a user">Contact data, preferences, and what was sent.</Empty>
        )}
      </section>
    </div>
  );
}

function NewUser({ onSaved }: { onSaved: () => void }) {
  const [id, setId] = useState('');
  const save = async (event: Event) => {
    event.preventDefault();
    if (id.trim() === '') return;
    if (await act(() => api.users.save(id.trim(), {}), 'Saved')) {
      onSaved();
      go(['users', id.trim()]);
      setId('');
    }
  };
  return (
    <form class="bar" onSubmit={save}>
      <input
        placeholder="ID of a user"
        aria-label="ID of a user"
        style={{ flex: 1, minWidth: 0 }}
        value={id}
        onInput={({ currentTarget }) => setId(currentTarget.value)}
      />
      <button type="submit">Open or create</button>
    </form>
  );
}

function Detail({ id, onGone }: { id: string; onGone: () => void }) {
  const { value: user, error, reload } = useLoaded(() => api.users.get(id), [id]);
  if (error)
    return (
      <div class="page">
        <Problem error={error} />
      </div>
    );
  if (!user) return <Skeleton />;
  const erase = async () => {
    if (!confirm(`Erase ${id} everywhere, delivery logs included?`)) return;
    if (await act(() => api.users.delete(id), 'The user is being erased')) {
      onGone();
      go(['users']);
    }
  };
  return (
    <div class="page">
      <a class="button back" href={addressOf(['users'])}>
        ← Users
      </a>
      <header class="actions">
        <h1>{id}</h1>
        <a class="button" href={addressOf(['notifications'], { user: id })}>
          Notifications
        </a>
        <button type="button" class="danger" onClick={erase}>
          Erase
        </button>
      </header>
      {user.emailSuppressionStatus && (
        <div class="problem">
          <p>
            Email to {user.email} is suppressed: {user.emailSuppressionStatus.reason}.
          </p>
          <button
            type="button"
            onClick={() => act(() => api.users.liftSuppression(id, 'EMAIL'), 'Lifted').then(reload)}
          >
            Lift the suppression
          </button>
        </div>
      )}
      <Contact user={user} onSaved={reload} />
      <Quiet user={user} onSaved={reload} />
      <Preferences id={id} />
      <Topics id={id} />
      <InappItems id={id} />
    </div>
  );
}

const CONTACT = [
  ['email', 'Email'],
  ['number', 'Phone number'],
  ['timezone', 'Timezone'],
  ['locale', 'Language'],
  ['chatChannel', 'Chat channel'],
] as const;

function Contact({ user, onSaved }: { user: User; onSaved: () => void }) {
  const [change, setChange] = useState<Record<string, string>>({});
  const save = async (event: Event) => {
    event.preventDefault();
    const body = Object.fromEntries(
      Object.entries(change).map(([name, value]) => [name, value === '' ? null : value]),
    );
    if (await act(() => api.users.save(user.id, body), 'Saved')) {
      setChange({});
      onSaved();
    }
  };
  const fields = user as Record<string, unknown>;
  return (
    <form class="card" onSubmit={save}>
      <header>
        <h2>Contact data</h2>
        <button type="submit" disabled={Object.keys(change).length === 0}>
          Save
        </button>
      </header>
      <div class="body">
        <div class="field-row">
          {CONTACT.map(([name, label]) => (
            <label key={name}>
              {label}
              <input
                value={change[name] ?? String(fields[name] ?? '')}
                onInput={({ currentTarget }) => setChange({ ...change, [name]: currentTarget.value })}
              />
            </label>
          ))}
        </div>
        <p class="small faint">
          {user.pushTokens?.length ?? 0} push token(s), {user.webPushTokens?.length ?? 0} browser
          subscription(s)
        </p>
      </div>
    </form>
  );
}

function Topics({ id }: { id: string }) {
  const { value, error } = useLoaded(() => api.topics.listUser(id), [id]);
  if (error) return <Problem error={error} />;
  return (
    <div class="card">
      <header>
        <h2>Topics</h2>
      </header>
      <p class="body">
        {value?.topics.length === 0 && <span class="faint">A member of no topic.</span>}
        <span class="actions">
          {value?.topics.map(({ topicId }) => (
            <a key={topicId} href={addressOf(['topics', topicId])}>
              {topicId}
            </a>
          ))}
        </span>
      </p>
    </div>
  );
}

function InappItems({ id }: { id: string }) {
  const headers = { 'x-user-id': id };
  const { value, error } = useLoaded(() => api.inapp.list({}, { headers }), [id, logChanges.value.count]);
  if (error) return <Problem error={error} />;
  const items = (value?.notifications ?? []) as {
    id?: string;
    trackingId: string;
    title: string;
    date?: string;
    opened?: string;
  }[];
  return (
    <div class="card">
      <header>
        <h2>In-app list</h2>
      </header>
      {items.length === 0 ? (
        <p class="body faint">The user has no in-app notifications.</p>
      ) : (
        <table>
          <tbody>
            {items.map(({ trackingId, title, date, opened }) => (
              <tr key={trackingId}>
                <td class="mark-cell">{opened ? '' : '●'}</td>
                <td>
                  <a href={addressOf(['notifications', trackingId])}>{title}</a>
                </td>
                <td class="faint">
                  <Time atMs={Date.parse(date ?? '')} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
