import type { User } from '../../../client/src/generated/types.ts';
import { act, Back, Missing, Problem, Skeleton, Time, Unsaved, useLoaded } from '../parts/basics.tsx';
import { isSureToRemove } from '../parts/removals.ts';
import { countText } from '../parts/shown.ts';
import { Table } from '../parts/table.tsx';
import { TextField } from '../parts/text-field.tsx';
import { Words } from '../parts/words.tsx';
import { Writes } from '../parts/writes.tsx';
import { logChanges } from '../state/changes.ts';
import { useDraft } from '../state/drafts.ts';
import { addressOf, go } from '../state/route.ts';
import { api } from '../state/service.ts';
import { Quiet } from './quiet.tsx';
import { Attributes } from './user-attributes.tsx';
import { Preferences } from './user-preferences.tsx';

export function UserDetail({ id, onGone }: { id: string; onGone: () => void }) {
  const { value: user, error, reload } = useLoaded(() => api.users.get(id), [id]);
  if (error) return <Missing title={id} list="users" error={error} />;
  if (!user) return <Skeleton />;
  const erase = async () => {
    if (!(await isSureToRemove('user', id))) return;
    if (await act(() => api.users.delete(id), 'The user is being erased')) {
      onGone();
      go(['users']);
    }
  };
  const lift = async () => {
    if (!(await isSureToRemove('suppression', user.email ?? id))) return;
    if (await act(() => api.users.liftSuppression(id, 'EMAIL'), 'Lifted')) reload();
  };
  return (
    <div class="page">
      <Back list="users" />
      <header class="actions">
        <h1>
          <Words text={id} />
        </h1>
        <a class="button" href={addressOf(['notifications'], { user: id })}>
          Notifications
        </a>
        <Writes>
          <button type="button" class="danger" onClick={erase}>
            Erase
          </button>
        </Writes>
      </header>
      {user.emailSuppressionStatus && (
        <div class="problem">
          <p>
            Email to {user.email} is suppressed: {user.emailSuppressionStatus.reason}.
          </p>
          <Writes>
            <button type="button" onClick={lift}>
              Lift the suppression
            </button>
          </Writes>
        </div>
      )}
      <Writes>
        <Contact user={user} onSaved={reload} />
        <Attributes user={user} onSaved={reload} />
        <Quiet user={user} onSaved={reload} />
        <Preferences id={id} />
      </Writes>
      <Topics id={id} />
      <InappItems id={id} />
    </div>
  );
}

const CONTACT = [
  ['email', 'Email', 'ada@example.com'],
  ['number', 'Phone number', '+14155550123'],
  ['timezone', 'Timezone', 'Europe/London'],
  ['locale', 'Language', 'en'],
  ['chatChannel', 'Chat channel', '#general'],
] as const;

function Contact({ user, onSaved }: { user: User; onSaved: () => void }) {
  const [change, setChange, draft] = useDraft<Record<string, string>>(['user', user.id, 'contact'], {});
  const save = async (event: Event) => {
    event.preventDefault();
    const body = Object.fromEntries(
      Object.entries(change).map(([name, value]) => [name, value === '' ? null : value]),
    );
    if (!(await act(() => api.users.save(user.id, body), 'Saved'))) return;
    draft.clear();
    onSaved();
  };
  const fields = user as Record<string, unknown>;
  return (
    <form class="card" onSubmit={save}>
      <header>
        <h2>Contact data</h2>
        <Unsaved draft={draft} name="contact data" />
        <button type="submit" disabled={Object.keys(change).length === 0}>
          Save
        </button>
      </header>
      <div class="body">
        <div class="field-row">
          {CONTACT.map(([name, label, example]) => (
            <TextField
              key={name}
              name={name}
              label={label}
              placeholder={example}
              value={change[name] ?? String(fields[name] ?? '')}
              set={(value) => setChange({ ...change, [name]: value })}
            />
          ))}
        </div>
        <p class="small faint">
          {countText(user.pushTokens?.length ?? 0, 'push token')},{' '}
          {countText(user.webPushTokens?.length ?? 0, 'browser subscription')}
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
        {value?.topics.length === 0 && <span class="faint">Not a member of any topic.</span>}
        <span class="actions">
          {value?.topics.map(({ topicId }) => (
            <a key={topicId} href={addressOf(['topics', topicId])}>
              <Words text={topicId} />
            </a>
          ))}
        </span>
      </p>
    </div>
  );
}

function InappItems({ id }: { id: string }) {
  const headers = { 'x-user-id': id };
  const { value, error } = useLoaded(() => api.inapp.list({}, { headers }), [id], logChanges.value.count);
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
        <Table>
          {items.map(({ trackingId, title, date, opened }) => (
            <tr key={trackingId}>
              <td class="mark-cell">{opened ? '' : '●'}</td>
              <td>
                <a href={addressOf(['notifications', trackingId])}>
                  <Words text={title} />
                </a>
              </td>
              <td class="faint">
                <Time atMs={Date.parse(date ?? '')} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </div>
  );
}
