import {
  act,
  Back,
  Empty,
  Missing,
  Problem,
  Skeleton,
  Unsaved,
  useLoaded,
  useShortcut,
} from '../parts/basics.tsx';
import { saveOn } from '../parts/editions.ts';
import { Editor } from '../parts/editor.tsx';
import { IdForm } from '../parts/id-form.tsx';
import { Preview } from '../parts/preview.tsx';
import { isSureToRemove } from '../parts/removals.ts';
import { TextField } from '../parts/text-field.tsx';
import { Words } from '../parts/words.tsx';
import { Writes } from '../parts/writes.tsx';
import { useDraft } from '../state/drafts.ts';
import { addressOf, go, place } from '../state/route.ts';
import { api } from '../state/service.ts';

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
                <Words class="strong clip" text={name} />
                <span class="line small faint">
                  <Words class="clip" text={componentId} />
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
  const read = () => api.components.get(id);
  const { value: response, error, reload } = useLoaded(() => read().withResponse(), [id]);
  const value = response?.data;
  const saved = { name: value?.name ?? '', html: value?.html ?? '' };
  const [entered, setEntered, draft] = useDraft(['component', id], saved, response?.etag);
  const save = async () => {
    if (!value) return;
    const update = (ifMatch: object) => api.components.update(id, entered, ifMatch);
    if (await saveOn(draft.base, update, read)) draft.keep();
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
  useShortcut('s');
  if (error) return <Missing title={id} list="components" error={error} />;
  if (!value) return <Skeleton />;
  return (
    <div class="page">
      <Back list="components" />
      <header class="actions">
        <h1>
          <Words text={id} />
        </h1>
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
      <TextField
        name="name"
        label="Name"
        value={entered.name}
        set={(name) => setEntered({ ...entered, name })}
      />
      <div style={{ display: 'grid', gap: '4px' }}>
        <span class="small faint">HTML</span>
        <Editor
          value={entered.html}
          language="liquid"
          label="HTML"
          name="html"
          onChange={(html) => setEntered({ ...entered, html })}
        />
      </div>
      <p class="small faint">
        {value.referencedBy.length === 0 ? 'No template embeds it.' : 'Embedded by '}
        {value.referencedBy.map(({ notificationId, channel, templateId }, index) => (
          <span key={`${notificationId}${channel}${templateId}`}>
            {index > 0 ? ', ' : ''}
            <a href={addressOf(['types', notificationId, channel, templateId])}>
              <Words text={`${notificationId} · ${templateId}`} />
            </a>
          </span>
        ))}
      </p>
      <Preview channel="EMAIL" shown={{ subject: entered.name, html: entered.html }} />
    </div>
  );
}
