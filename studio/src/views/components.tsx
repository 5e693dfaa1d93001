import { useEffect, useState } from 'preact/hooks';
import { act, Empty, Problem, Skeleton, useLoaded, useShortcut } from '../parts/basics.tsx';
import { isSure } from '../parts/dialog.tsx';
import { Editor } from '../parts/editor.tsx';
import { IdForm } from '../parts/id-form.tsx';
import { Preview } from '../parts/preview.tsx';
import { Writes } from '../parts/writes.tsx';
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
  const { value, error } = useLoaded(() => api.components.get(id), [id]);
  const [draft, setDraft] = useState<{ name: string; html: string }>();
  useEffect(() => {
    if (value) setDraft({ name: value.name, html: value.html });
  }, [value]);
  const save = () => draft && act(() => api.components.update(id, draft), 'Saved').then(onChanged);
  const remove = async () => {
    const text = 'It can be deleted once no template embeds it. This cannot be undone.';
    if (!(await isSure(`Delete the component ${id}?`, text, 'Delete'))) return;
    if (!(await act(() => api.components.delete(id), 'Deleted'))) return;
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
  if (!value || !draft) return <Skeleton />;
  return (
    <div class="page">
      <a class="button back" href={addressOf(['components'])}>
        ← Components
      </a>
      <header class="actions">
        <h1>{id}</h1>
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
          value={draft.name}
          onInput={({ currentTarget }) => setDraft({ ...draft, name: currentTarget.value })}
        />
      </label>
      <div style={{ display: 'grid', gap: '4px' }}>
        <span class="small faint">HTML</span>
        <Editor
          value={draft.html}
          language="liquid"
          label="HTML"
          onChange={(html) => setDraft({ ...draft, html })}
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
      <Preview channel="EMAIL" shown={{ subject: draft.name, html: draft.html }} />
    </div>
  );
}
