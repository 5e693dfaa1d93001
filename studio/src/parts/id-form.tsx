import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { go } from '../state/route.ts';
import { act } from './basics.tsx';
import { Writes } from './writes.tsx';

/** A field for an ID that opens `view` with it, saved first if `save` is given; `children` come before the field. */
export function IdForm({
  label,
  button,
  view,
  save,
  done,
  onSaved,
  children,
}: {
  label: string;
  button: string;
  view: string;
  save?: (id: string) => Promise<unknown>;
  done?: string;
  onSaved?: () => void;
  children?: ComponentChildren;
}) {
  const [text, setText] = useState('');
  const submit = async (event: Event) => {
    event.preventDefault();
    const id = text.trim();
    if (save && !(await act(() => save(id), done))) return;
    onSaved?.();
    go([view, id]);
    setText('');
  };
  return (
    <form class="bar" onSubmit={submit}>
      {children}
      <input
        placeholder={label}
        aria-label={label}
        required
        data-field="id"
        style={{ flex: 1, minWidth: 0 }}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      {save ? (
        <Writes>
          <button type="submit">{button}</button>
        </Writes>
      ) : (
        <button type="submit">{button}</button>
      )}
    </form>
  );
}
