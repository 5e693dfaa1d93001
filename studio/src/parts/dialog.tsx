import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { problemText } from '../state/field-problems.ts';

type Question = {
  title: string;
  text: string;
  /** The word on the button that goes ahead. */
  button: string;
  /** Label of a field for a text; without it, the answer is empty. */
  field?: string;
  isDanger?: boolean;
  /** Does what was asked for. While it fails, the dialog stays and says at its field what is wrong. */
  use?: (answer: string) => Promise<unknown>;
  /** The field of the request that has the answer, such as `to`. */
  name?: string;
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
  const { title, text, button, field, isDanger, use, name, decide } = question;
  const [answer, setAnswer] = useState('');
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    const input = (event.target as HTMLFormElement).querySelector('input');
    setBusy(true);
    try {
      await use?.(answer.trim());
      if (pending.value === question) decide(answer.trim());
    } catch (error) {
      setProblem(problemText(error, name));
      input?.focus();
    }
    setBusy(false);
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
            <input
              value={answer}
              aria-invalid={problem !== ''}
              aria-describedby={problem ? 'problem-of-answer' : undefined}
              onInput={({ currentTarget }) => setAnswer(currentTarget.value)}
            />
          </label>
        )}
        {problem && (
          <p id="problem-of-answer" class="small failed" role="alert">
            {problem}
          </p>
        )}
        <p class="actions">
          <button
            type="submit"
            class={isDanger ? 'danger' : 'primary'}
            disabled={isBusy || (field !== undefined && answer.trim() === '')}
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
