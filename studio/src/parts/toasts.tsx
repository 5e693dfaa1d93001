import { signal } from '@preact/signals';

type Toast = { id: number; text: string; undo?: () => void };
const toasts = signal<Toast[]>([]);
let lastToast = 0;

/** Time in which something can be undone. */
export const UNDO_MS = 10_000;

/** Shows a line for a while; with `undo`, for ten seconds. */
export function toast(text: string, undo?: () => void): void {
  lastToast += 1;
  const id = lastToast;
  toasts.value = [...toasts.value, { id, text, ...(undo ? { undo } : {}) }];
  setTimeout(() => dismiss(id), undo ? UNDO_MS : 4000);
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((each) => each.id !== id);
}

export function Toasts() {
  return (
    <div class="toasts" role="status">
      {toasts.value.map(({ id, text, undo }) => (
        <div class="toast" key={id}>
          {text}
          {undo && (
            <button
              type="button"
              onClick={() => {
                dismiss(id);
                undo();
              }}
            >
              Undo
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
