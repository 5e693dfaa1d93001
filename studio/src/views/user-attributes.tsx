import type { User } from '../../../client/src/generated/types.ts';
import { act, Unsaved } from '../parts/basics.tsx';
import { Editor } from '../parts/editor.tsx';
import { useDraft } from '../state/drafts.ts';
import { faultIn } from '../state/field-problems.ts';
import { api } from '../state/service.ts';

/** The data of a user that templates and conditions read as `user.attributes.<name>`, as JSON. */
export function Attributes({ user, onSaved }: { user: User; onSaved: () => void }) {
  const { attributes = {} } = user;
  const stored = JSON.stringify(attributes, null, 2);
  const [text, setText, draft] = useDraft(['user', user.id, 'attributes'], stored);
  const parsed = objectIn(text);
  const save = (event: Event) => {
    event.preventDefault();
    const removed = Object.keys(attributes).filter((name) => !(name in (parsed ?? {})));
    // A merge keeps what is absent.
    const change = { ...Object.fromEntries(removed.map((name) => [name, null])), ...parsed };
    act(async () => {
      if (!parsed) throw faultIn('attributes', 'This is not a JSON object.');
      await api.users.save(user.id, { attributes: change });
    }, 'Saved').then((isSaved) => {
      if (!isSaved) return;
      draft.keep();
      onSaved();
    });
  };
  return (
    <form class="card" onSubmit={save}>
      <header>
        <h2>Attributes</h2>
        <Unsaved draft={draft} name="attributes" />
        <button type="submit" disabled={text === stored}>
          Save
        </button>
      </header>
      <div class="body">
        <p class="small faint">
          Templates and conditions read them: <code>{'{{ user.attributes.plan }}'}</code>
        </p>
        <Editor value={text} language="json" label="Attributes" name="attributes" onChange={setText} />
      </div>
    </form>
  );
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
