import type { NotificationType } from '../../../client/src/generated/types.ts';
import { Unsaved } from '../parts/basics.tsx';
import { useDraft } from '../state/drafts.ts';
import type { api } from '../state/service.ts';

type Change = Parameters<typeof api.types.update>[1];
type Props = { type: NotificationType; change: (body: Change, then?: () => void) => unknown };
type Row = { locale: string; title: string; category: string };

/** What recipients read of a type, and whether they can turn it off. */
export function TextsOf({ type, change }: Props) {
  const { notificationId, title, category = '', required = false, translations = {} } = type;
  const rows = Object.entries(translations).map(
    ([locale, texts]): Row => ({ locale, title: texts.title ?? '', category: texts.category ?? '' }),
  );
  const saved = { title, category, required, rows };
  const [entered, setEntered, draft] = useDraft(['type', notificationId, 'texts'], saved);
  const set = (part: Partial<typeof saved>) => setEntered({ ...entered, ...part });
  const setRow = (index: number, part: Partial<Row>) =>
    set({ rows: entered.rows.map((row, each) => (each === index ? { ...row, ...part } : row)) });
  const save = (event: Event) => {
    event.preventDefault();
    const removed = rows.map(({ locale }) => [locale, null]);
    const left = entered.rows
      .filter((row) => row.locale.trim() !== '' && (row.title !== '' || row.category !== ''))
      .map(({ locale, title, category }) => [
        locale.trim(),
        { ...(title === '' ? {} : { title }), ...(category === '' ? {} : { category }) },
      ]);
    const body = {
      title: entered.title,
      category: entered.category === '' ? null : entered.category,
      required: entered.required,
      translations: Object.fromEntries([...removed, ...left]),
    };
    change(body, draft.clear);
  };
  return (
    <form class="card" onSubmit={save}>
      <header>
        <h2>What recipients see</h2>
        <Unsaved draft={draft} name="what recipients see" />
        <button type="submit" disabled={JSON.stringify(entered) === JSON.stringify(saved)}>
          Save
        </button>
      </header>
      <div class="body">
        <div class="field-row">
          <TextField label="Title" value={entered.title} set={(title) => set({ title })} />
          <TextField label="Category" value={entered.category} set={(category) => set({ category })} />
        </div>
        {entered.rows.map((row, index) => (
          <div class="field-row" key={index}>
            <TextField label="Language" value={row.locale} set={(locale) => setRow(index, { locale })} />
            <TextField
              label={`Title in ${row.locale || 'the language'}`}
              value={row.title}
              set={(title) => setRow(index, { title })}
            />
            <TextField
              label={`Category in ${row.locale || 'the language'}`}
              value={row.category}
              set={(category) => setRow(index, { category })}
            />
          </div>
        ))}
        <div class="actions">
          <button
            type="button"
            onClick={() => set({ rows: [...entered.rows, { locale: '', title: '', category: '' }] })}
          >
            Add a language
          </button>
          <label class="check">
            <input
              type="checkbox"
              checked={entered.required}
              onChange={({ currentTarget }) => set({ required: currentTarget.checked })}
            />
            Required: recipients cannot turn it off
          </label>
        </div>
      </div>
    </form>
  );
}

type FieldProps = { label: string; value: string; set: (value: string) => void };

function TextField({ label, value, set }: FieldProps) {
  return (
    <label>
      {label}
      <input value={value} onInput={({ currentTarget }) => set(currentTarget.value)} />
    </label>
  );
}
