import { act, Back, Empty, Problem, Skeleton, Time, Unsaved, useLoaded } from '../parts/basics.tsx';
import { IdForm } from '../parts/id-form.tsx';
import { Table } from '../parts/table.tsx';
import { toast } from '../parts/toasts.tsx';
import { Words } from '../parts/words.tsx';
import { Writes } from '../parts/writes.tsx';
import { useDraft } from '../state/drafts.ts';
import { addressOf, place } from '../state/route.ts';
import { api } from '../state/service.ts';

const SHOWN = 100;

export function TopicsView() {
  const id = place.value.path[0];
  const { value, error, reload } = useLoaded(() => api.topics.list({ limit: SHOWN }), []);
  return (
    <div class={`split ${id ? 'has-detail' : ''}`}>
      <section class="pane" aria-label="Topics">
        <h1 class="hidden">Topics</h1>
        <IdForm label="ID of a topic" button="Open" view="topics">
          <a class="button" href={addressOf(['users'])}>
            ← Users
          </a>
        </IdForm>
        {error ? <Problem error={error} /> : null}
        {!value && !error && <Skeleton />}
        {value?.topics.length === 0 && (
          <Empty title="No topics yet">
            A topic is a list of users of any length. One request to it notifies every member.
          </Empty>
        )}
        <ul class="scroll rows" aria-label="Topics">
          {value?.topics.map(({ topicId, members, updatedAt }) => (
            <li key={topicId}>
              <a
                class="row static"
                href={addressOf(['topics', topicId])}
                aria-current={topicId === id ? 'true' : undefined}
              >
                <span class="line">
                  <Words class="strong clip" text={topicId} />
                  <span class="small faint">
                    <Time atMs={Date.parse(updatedAt)} />
                  </span>
                </span>
                <span class="small faint">
                  {members === 1 ? '1 member' : `${members.toLocaleString()} members`}
                </span>
              </a>
            </li>
          ))}
        </ul>
      </section>
      <section class="pane" aria-label="Topic">
        {id ? (
          <Detail id={id} key={id} onChanged={reload} />
        ) : (
          <Empty title="Choose a topic">Its members, and who is added or removed.</Empty>
        )}
      </section>
    </div>
  );
}

function Detail({ id, onChanged }: { id: string; onChanged: () => void }) {
  const { value, error, reload } = useLoaded(() => findMembers(id), [id]);
  const [names, setNames, draft] = useDraft(['topic', id, 'add'], '');
  const userIds = names.split(/[\s,]+/).filter(Boolean);
  const after = () => {
    reload();
    onChanged();
  };
  const add = (event: Event) => {
    event.preventDefault();
    act(() => api.topics.addUsers(id, { userIds }), 'Added')
      .then((isDone) => isDone && draft.clear())
      .then(after);
  };
  const remove = (userId: string) =>
    act(async () => {
      await api.topics.removeUsers(id, { userIds: [userId] });
      const undo = () => act(() => api.topics.addUsers(id, { userIds: [userId] }), 'Added again').then(after);
      toast(`${userId} is no longer a member`, undo);
    }).then(after);
  return (
    <div class="page">
      <Back list="topics" />
      <header class="actions">
        <h1>
          <Words text={id} />
        </h1>
        <a class="button" href={addressOf(['compose'], { topic: id })}>
          Send to it
        </a>
      </header>
      <Writes>
        <form class="card" onSubmit={add}>
          <header>
            <h2>Add members</h2>
            <Unsaved draft={draft} name="new members" />
            <button type="submit" disabled={userIds.length === 0}>
              Add
            </button>
          </header>
          <div class="body">
            <label>
              User IDs, up to 100
              <textarea
                data-field="userIds"
                rows={2}
                value={names}
                onInput={({ currentTarget }) => setNames(currentTarget.value)}
              />
            </label>
          </div>
        </form>
      </Writes>
      <div class="card">
        <header>
          <h2>Members</h2>
          {value && value.users.length === SHOWN && <span class="small faint">the first {SHOWN}</span>}
        </header>
        {error ? <Problem error={error} /> : null}
        {value?.users.length === 0 && <p class="body faint">No members.</p>}
        <Table>
          {value?.users.map(({ userId, addedAt }) => (
            <tr key={userId}>
              <td>
                <a href={addressOf(['users', userId])}>
                  <Words text={userId} />
                </a>
              </td>
              <td class="faint">
                added <Time atMs={Date.parse(addedAt)} />
              </td>
              <td class="link">
                <Writes>
                  <button type="button" aria-label={`Remove ${userId}`} onClick={() => remove(userId)}>
                    Remove
                  </button>
                </Writes>
              </td>
            </tr>
          ))}
        </Table>
      </div>
    </div>
  );
}

/** The first members; none of a topic that does not exist yet. */
async function findMembers(id: string): Promise<{ users: { userId: string; addedAt: string }[] }> {
  try {
    return await api.topics.listUsers(id, { limit: SHOWN });
  } catch (error) {
    if ((error as { code?: string }).code === 'RESOURCE_NOT_FOUND') return { users: [] };
    throw error;
  }
}
