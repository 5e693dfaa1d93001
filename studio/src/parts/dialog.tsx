import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';

type Question = {
  title: string;
  text: string;
  /** The word on the button that goes ahead. */
  button: string;
  /** Label of a field for a text; without it, the answer is empty. */
  field?: string;
  isDanger?: boolean;
};
type Pending = Question & { decide: (answer: string | undefined) => void };

const pending = signal<Pending | undefined>(undefined);

/** Asks in a dialog of the page; returns the text of its field, or undefined if it was cancelled. */
export function ask(question: Question): Promise<string | undefined> {
  pending.value?.decide(undefined);
  return new Promise((resolve) => {
    pending.value = {
      ...question,
      decide: (answer) => {
        pending.value = undefined;
        resolve(answer);
      },
    };
  });
}

export function Dialog() {
  const { value } = pending;
  return value ? <Shown key={value.title} question={value} /> : null;
}

function Shown({ question }: { question: Pending }) {
  const { title, text, button, field, isDanger, decide } = question;
  const [answer, setAnswer] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    decide(answer.trim());
  };
  return (
    <dialog
      ref={(element) => {
        if (element && !element.open) element.showModal();
      }}
      onCancel={() => decide(undefined)}
      aria-label={title}
    >
      <form onSubmit={submit} style={{ display: 'grid', gap: '12px' }}>
        <h2>{title}</h2>
        <p>{text}</p>
        {field && (
          <label>
            {field}
            <input value={answer} onInput={({ currentTarget }) => setAnswer(currentTarget.value)} />
          </label>
        )}
        <p class="actions">
          <button
            type="submit"
            class={isDanger ? 'danger' : 'primary'}
            disabled={field !== undefined && answer.trim() === ''}
          >
            {button}
          </button>
          <button type="button" onClick={() => decide(undefined)}>
            Cancel
          </button>
        </p>
      </form>
    </dialog>
  );
}
