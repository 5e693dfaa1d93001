import { useState } from 'preact/hooks';
import type { User } from '../../../client/src/generated/types.ts';
import { Empty, Problem, Skeleton, Time, useLoaded } from '../parts/basics.tsx';
import { FilterField } from '../parts/filter-field.tsx';
import { IdForm } from '../parts/id-form.tsx';
import { Words } from '../parts/words.tsx';
import { logChanges } from '../state/changes.ts';
import { listUsersLike } from '../state/find.ts';
import { addressOf, place, setQuery } from '../state/route.ts';
import { api } from '../state/service.ts';
import { UserDetail } from './user.tsx';

const PAGE = 100;

async function newestUsers(max: number): Promise<User[]> {
  const users: User[] = [];
  for await (const user of api.users.list({ limit: PAGE })) if (users.push(user) >= max) break;
  return users;
}

export function UsersView() {
  const id = place.value.path[0];
  const [max, setMax] = useState(PAGE);
  const wanted = place.value.query.get('find') ?? '';
  const { value, error, reload } = useLoaded(
    () => (wanted === '' ? newestUsers(max) : listUsersLike(wanted)),
    [logChanges.value.count === 0, max, wanted],
  );
  return (
    <div class={`split ${id ? 'has-detail' : ''}`}>
      <section class="pane" aria-label="Users">
        <h1 class="hidden">Users</h1>
        <IdForm
          label="ID of a user"
          button="Open or create"
          view="users"
          save={(id) => api.users.save(id, {})}
          done="Saved"
          onSaved={reload}
        />
        <div class="bar">
          <FilterField
            label="ID, email or number"
            width="60%"
            value={wanted}
            onChange={(find) => setQuery({ find })}
            isLive
          />
          <a class="small" href={addressOf(['topics'])}>
            Topics
          </a>
          <a class="small" href={addressOf(['suppressions'])}>
            Suppressed
          </a>
        </div>
        {error ? <Problem error={error} /> : null}
        {!value && !error && <Skeleton />}
        {value?.length === 0 && wanted !== '' && (
          <Empty title="Nobody matches">The start of a user ID, a whole email address or phone number.</Empty>
        )}
        {value?.length === 0 && wanted === '' && (
          <Empty title="No users yet">
            A user appears with the first notification to them, or with the form above.
          </Empty>
        )}
        <ul class="scroll rows" aria-label="Users">
          {value?.map((user) => (
            <li key={user.id}>
              <a
                class="row static"
                href={addressOf(['users', user.id], { find: wanted })}
                aria-current={user.id === id ? 'true' : undefined}
              >
                <span class="line">
                  <Words class="strong clip" text={user.id} />
                  <span class="small faint">
                    <Time atMs={Date.parse(user.lastSeenTime ?? user.updatedAt ?? '')} />
                  </span>
                </span>
                <Words
                  class="small faint clip"
                  text={[user.email, user.number].filter(Boolean).join(' · ') || 'no contact data'}
                />
              </a>
            </li>
          ))}
          {value && value.length >= max && (
            <li class="bar">
              <button type="button" onClick={() => setMax(max + PAGE)}>
                Show more
              </button>
            </li>
          )}
        </ul>
      </section>
      <section class="pane" aria-label="User">
        {id ? (
          <UserDetail id={id} key={id} onGone={reload} />
        ) : (
          <Empty title="Choose a user">Contact data, preferences, and what was sent.</Empty>
        )}
      </section>
    </div>
  );
}
