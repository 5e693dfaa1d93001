import { TextField } from '../parts/text-field.tsx';
import type { PartProps, Row } from '../state/type-form.ts';

/** What recipients read of a type, and whether they can turn it off. */
export function TextsOf({ value: entered, set: setEntered }: PartProps<'texts'>) {
  const set = (part: Partial<typeof entered>) => setEntered({ ...entered, ...part });
  const setRow = (index: number, part: Partial<Row>) =>
    set({ rows: entered.rows.map((row, each) => (each === index ? { ...row, ...part } : row)) });
  return (
    <section class="card">
      <header>
        <h2>What recipients see</h2>
      </header>
      <div class="body">
        <div class="field-row">
          <TextField name="title" label="Title" value={entered.title} set={(title) => set({ title })} />
          <TextField
            name="category"
            label="Category"
            value={entered.category}
            set={(category) => set({ category })}
          />
        </div>
        {entered.rows.map((row, index) => (
          <div class="field-row" key={index}>
            <TextField
              name={`translations.${row.locale.trim()}`}
              isRequired={(row.title || row.category) !== ''}
              label="Language"
              value={row.locale}
              set={(locale) => setRow(index, { locale })}
            />
            <TextField
              name={`translations.${row.locale.trim()}.title`}
              label={`Title in ${row.locale || 'the language'}`}
              value={row.title}
              set={(title) => setRow(index, { title })}
            />
            <TextField
              name={`translations.${row.locale.trim()}.category`}
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
    </section>
  );
}
