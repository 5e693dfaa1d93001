import { act, Empty, Problem, Skeleton, Unsaved, useLoaded, useShortcut } from '../parts/basics.tsx';
import { Editor } from '../parts/editor.tsx';
import { IdForm } from '../parts/id-form.tsx';
import { Preview } from '../parts/preview.tsx';
import { isSureToRemove } from '../parts/removals.ts';
import { Writes } from '../parts/writes.tsx';
import { useDraft } from '../state/drafts.ts';
import { addressOf, go, place } from '../state/route.ts';
import { api } from '../state/service.ts';

/** Reusable parts of emails: the list, and one in its editor. */
export function ComponentsView() {
  const id = place.value.path[0];
  const { value, error, reload } = useLoaded(() => api.components.list({ limit: 100 }), []);
  return (
    <div class={`split ${id ? 'has-detail' : ''}`}>
      <section class="pane" aria-label="Components">
        <h1 class="hidden">Components</h1>
        <IdForm
          label="ID of a new component"
          button="Create"
          view="components"
          save={(id) => api.components.create({ componentId: id, name: id, html: '<p>Hello</p>' })}
          done="Created"
          onSaved={reload}
        >
          <a class="button" href={addressOf(['types'])}>
            ← Types
          </a>
        </IdForm>
        {error ? <Problem error={error} /> : null}
        {!value && !error && <Skeleton />}
        {value?.components.length === 0 && (
          <Empty title="No components yet">
            A header or footer that many emails share; templates embed it by its ID.
          </Empty>
        )}
        <ul class="scroll rows" aria-label="Components">
          {value?.components.map(({ componentId, name, referencedBy }) => (
            <li key={componentId}>
              <a
                class="row static"
                href={addressOf(['components', componentId])}
                aria-current={componentId === id ? 'true' : undefined}
              >
                <span class="strong clip">{name}</span>
                <span class="small faint clip">
                  {componentId} ·{' '}
                  {referencedBy.length === 0 ? 'unused' : `in ${referencedBy.length} template(s)`}
                </span>
              </a>
            </li>
          ))}
        </ul>
      </section>
      <section class="pane" aria-label="Component">
        {id ? (
          <Detail id={id} key={id} onChanged={reload} />
        ) : (
          <Empty title="Choose a component">Its HTML, and the templates that embed it.</Empty>
        )}
      </section>
    </div>
  );
}

function Detail({ id, onChanged }: { id: string; onChanged: () => void }) {
  const { value, error, reload } = useLoaded(() => api.components.get(id), [id]);
  const saved = { name: value?.name ?? '', html: value?.html ?? '' };
  const [entered, setEntered, draft] = useDraft(['component', id], saved);
  const save = async () => {
    if (!value || !(await act(() => api.components.update(id, entered), 'Saved'))) return;
    draft.keep();
    reload();
    onChanged();
  };
  const remove = async () => {
    if (!(await isSureToRemove('component', id))) return;
    if (!(await act(() => api.components.delete(id), 'Deleted'))) return;
    draft.clear();
    onChanged();
    go(['components']);
  };
  useShortcut('s', save);
  if (error)
    return (
      <div class="page">
        <Problem error={error} />
      </div>
    );
  if (!value) return <Skeleton />;
  return (
    <div class="page">
      <a class="button back" href={addressOf(['components'])}>
        ← Components
      </a>
      <header class="actions">
        <h1>{id}</h1>
        <Unsaved draft={draft} name={id} />
        <Writes>
          <button type="button" class="primary" onClick={save}>
            Save
          </button>
          <button type="button" class="danger" onClick={remove}>
            Delete
          </button>
        </Writes>
      </header>
      <label>
        Name
        <input
          value={entered.name}
          onInput={({ currentTarget }) => setEntered({ ...entered, name: currentTarget.value })}
        />
      </label>
      <div style={{ display: 'grid', gap: '4px' }}>
        <span class="small faint">HTML</span>
        <Editor
          value={entered.html}
          language="liquid"
          label="HTML"
          onChange={(html) => setEntered({ ...entered, html })}
        />
      </div>
      <p class="small faint">
        {value.referencedBy.length === 0 ? 'No template embeds it.' : 'Embedded by '}
        {value.referencedBy.map(({ notificationId, channel, templateId }, index) => (
          <span key={`${notificationId}${channel}${templateId}`}>
            {index > 0 ? ', ' : ''}
            <a href={addressOf(['types', notificationId, channel, templateId])}>
              {notificationId} · {templateId}
            </a>
          </span>
        ))}
      </p>
      <Preview channel="EMAIL" shown={{ subject: entered.name, html: entered.html }} />
    </div>
  );
}
