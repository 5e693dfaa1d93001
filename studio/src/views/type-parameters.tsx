import type { NotificationType } from '../../../client/src/generated/types.ts';
import { act } from '../parts/basics.tsx';
import { Editor } from '../parts/editor.tsx';
import { toast } from '../parts/toasts.tsx';
import { schemaOf } from '../state/schema.ts';
import { api } from '../state/service.ts';
import type { PartProps } from '../state/type-form.ts';

/** The schema of a type's parameters. A draft can be derived from the sample parameters of its templates. */
export function Parameters({ type, value, set }: PartProps<'schema'> & { type: NotificationType }) {
  const derive = () =>
    act(async () => {
      const samples = await samplesOf(type);
      if (samples.length === 0) return toast('The templates of this type have no sample parameters.');
      set(JSON.stringify(schemaOf(samples, true), null, 2));
    });
  return (
    <section class="card">
      <header>
        <h2>Parameters</h2>
        <button type="button" onClick={derive}>
          Derive from samples
        </button>
      </header>
      <div class="body">
        <p class="small faint">
          A request whose parameters do not match this JSON Schema is rejected. Empty: all are accepted.
        </p>
        <Editor value={value} language="json" label="JSON Schema" name="parametersSchema" onChange={set} />
      </div>
    </section>
  );
}

/** The items of a digest are the parameters of requests too. */
async function samplesOf({ notificationId, templates = [] }: NotificationType): Promise<object[]> {
  const ids = templates.flatMap(({ channel, templateIds }) =>
    templateIds.map((id) => [channel, id] as const),
  );
  const read = await Promise.all(ids.map((of) => api.templates.get(notificationId, ...of)));
  return read.flatMap(({ samples }) => {
    const { _items: items = [], ...own } = samples ?? {};
    return [...(Object.keys(own).length > 0 ? [own] : []), ...(Array.isArray(items) ? items : [])];
  });
}
