import type { Account } from '../../../client/src/generated/types.ts';
import { act, Problem, Skeleton, Unsaved, useLoaded } from '../parts/basics.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useDraft } from '../state/drafts.ts';
import { api } from '../state/service.ts';

export function Retention() {
  const { value, error, reload } = useLoaded(() => api.account.get(), []);
  if (error) return <Problem error={error} />;
  return value ? <Days account={value} onSaved={reload} /> : <Skeleton />;
}

function Days({ account, onSaved }: { account: Account; onSaved: () => void }) {
  const saved = { logs: String(account.retentionInDays), content: String(account.contentDays) };
  const [{ logs, content }, set, draft] = useDraft(['account', 'retention'], saved);
  const save = async (event: Event) => {
    event.preventDefault();
    const body = {
      retentionInDays: logs === '' ? null : Number(logs),
      contentDays: content === '' ? null : Number(content),
    };
    if (!(await act(() => api.account.update(body), 'Saved'))) return;
    draft.keep();
    onSaved();
  };
  return (
    <form class="card" onSubmit={save}>
      <header>
        <h2>Retention</h2>
        <Unsaved draft={draft} name="the retention" />
        <button type="submit">Save retention</button>
      </header>
      <div class="body">
        <div class="field-row">
          <TextField
            isNumber
            name="retentionInDays"
            label="Keep logs for (days)"
            value={logs}
            set={(logs) => set({ logs, content })}
            placeholder="30"
          />
          <TextField
            isNumber
            name="contentDays"
            label="Keep their content for (days)"
            value={content}
            set={(content) => set({ logs, content })}
            placeholder="as the logs"
          />
        </div>
        <p class="small faint">
          Shorter times apply to earlier logs as well. Content is requests, previews and inbound messages.
        </p>
      </div>
    </form>
  );
}
