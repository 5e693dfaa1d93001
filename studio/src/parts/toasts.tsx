import { signal } from '@preact/signals';

type Toast = { id: number; text: string; undo?: (() => void) | undefined; isProblem: boolean };
const toasts = signal<Toast[]>([]);
let lastToast = 0;

/** Something can be undone for this long. */
export const UNDO_MS = 10_000;

/** Shows a line for a while; with `undo`, for ten seconds. */
export function toast(text: string, undo?: () => void): void {
  setTimeout(dismiss, undo ? UNDO_MS : 4000, add({ text, undo, isProblem: false }));
}

/** Shows a problem until it is dismissed; a repeated problem is shown once. */
export function problemToast(text: string): void {
  toasts.value = toasts.value.filter((each) => each.text !== text);
  add({ text, isProblem: true });
}

function add(shown: Omit<Toast, 'id'>): number {
  lastToast += 1;
  toasts.value = [...toasts.value, { id: lastToast, ...shown }];
  return lastToast;
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((each) => each.id !== id);
}

export function Toasts() {
  return (
    <div class="toasts" role="log" aria-label="Messages of this page">
      {toasts.value.map(({ id, text, undo, isProblem }) => (
        <div class="toast" key={id} role={isProblem ? 'alert' : undefined}>
          {text}
          {isProblem && (
            <button type="button" onClick={() => dismiss(id)} aria-label={`Dismiss: ${text}`}>
              Dismiss
            </button>
          )}
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
