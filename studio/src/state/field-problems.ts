import { ConnectionError, type ServiceError } from '../../../client/src/errors.ts';
import { inStudio } from './studio-words.ts';

/** What is wrong, and what to do about it; of a field with a name, what is wrong with its value. */
export function problemText(error: unknown, field?: string): string {
  if (error instanceof ConnectionError)
    return 'The service does not respond. This page continues when it is back.';
  const { message, fix, errors = [] } = error as Partial<ServiceError>;
  const own = errors.find(({ path }) => field !== undefined && path.endsWith(field));
  return own?.message ?? [message ?? String(error), fix && inStudio(fix)].filter(Boolean).join(' ');
}

/** What is wrong with a field before anything is sent. */
export const faultIn = (path: string, message: string): Error =>
  Object.assign(new Error(message), { errors: [{ path, message }] });

/** What was used last: a form that is submitted, or a button. */
let used: Element | null = null;
function use({ target, type }: Event): void {
  used = type === 'submit' ? (target as Element) : (target as Element).closest('button');
}
addEventListener('click', use, true);
addEventListener('submit', use, true);

/** How to take away what stands at the fields, by what was used. */
const shown = new WeakMap<Element, (() => void)[]>();
let count = 0;

/**
 * Returns what puts the problems of an error at the fields of the form, or of a page without one, and focuses the first. They
 * stay until the same form or button is used again and its fields are accepted.
 */
export function problemsOfUsed(): (error?: unknown) => void {
  const from = used;
  const form = from?.matches('form') ? from : null;
  return (error) => {
    if (!from) return;
    clearProblems(from);
    const all = [...(form ?? document).querySelectorAll<HTMLElement>('[data-field]')];
    const fields = all.filter((each) => each.closest('form') === form);
    const found = messagesAt(fields, (error ?? {}) as Partial<ServiceError>, form !== null);
    const wrong = fields.filter((each) => found.has(each));
    const marks = wrong.map((each) => mark(each, found.get(each) ?? ''));
    shown.set(from, marks);
    focus(wrong[0]);
  };
}

/** What saves the fields around an element: their form, or the main button of a page. */
export const ownerOf = (element: Element): Element | null =>
  element.closest('form') ?? document.querySelector('main button.primary');

export function clearProblems(owner: Element | null): void {
  for (const clear of (owner && shown.get(owner)) ?? []) clear();
}

/** What is wrong with each field. A problem of a form with one field is a problem of this field. */
function messagesAt(fields: HTMLElement[], error: Partial<ServiceError>, isForm: boolean) {
  const { errors = [], status = 0, code, message = '' } = error;
  const found = new Map(errors.map((each) => [fieldAt(each.path, fields), each.message] as const).reverse());
  found.delete(undefined);
  const isOfRequest = status >= 400 && status < 500 && code !== 'CANCELED' && (isForm || errors.length > 0);
  return found.size === 0 && fields.length === 1 && isOfRequest ? new Map([[fields[0], message]]) : found;
}

/** The field with this path, or the nearest that holds it: `title`, `sms.message`, `quietHours.days` for its first day. */
function fieldAt(path: string, fields: HTMLElement[]): HTMLElement | undefined {
  const named = (isAt: (name: string) => boolean) => fields.find(({ dataset }) => isAt(dataset.field ?? ''));
  return (
    named((name) => name === path) ??
    named((name) => path.startsWith(`${name}.`)) ??
    named((name) => path.endsWith(`.${name}`))
  );
}

/** What takes the keys in a field: itself, or the first in an editor or a group. */
const INPUTS = 'input, select, textarea, .cm-content';
const inputIn = (field: Element) =>
  (field.matches(INPUTS) ? field : field.querySelector(INPUTS)) as HTMLElement | null;

function mark(field: HTMLElement, message: string): () => void {
  const text = document.createElement('span');
  count += 1;
  text.id = `problem-${count}`;
  text.className = 'small failed';
  text.textContent = message;
  const input = inputIn(field);
  const label = field.closest('label');
  // Within a label it would become a part of the field's name.
  if (label) text.ariaHidden = 'true';
  (field === input ? (label ?? field.parentElement) : field)?.append(text);
  input?.setAttribute('aria-invalid', 'true');
  input?.setAttribute('aria-describedby', text.id);
  return () => {
    text.remove();
    for (const name of ['aria-invalid', 'aria-describedby']) input?.removeAttribute(name);
  };
}

function focus(field: Element | undefined): void {
  for (let each = field?.closest('details'); each; each = each.parentElement?.closest('details'))
    each.open = true;
  if (field) inputIn(field)?.focus();
}

/** What the browser finds wrong before a form is sent, such as a number that is none, stays until it is corrected. */
addEventListener(
  'invalid',
  (event) => {
    const input = event.target as HTMLInputElement;
    event.preventDefault();
    if (input.form?.querySelector('input:invalid') === input) focus(input);
    if (input.getAttribute('aria-invalid')) return;
    const clear = mark(input, input.validationMessage);
    const onInput = () => {
      if (!input.validity.valid) return;
      clear();
      input.removeEventListener('input', onInput);
    };
    input.addEventListener('input', onInput);
  },
  true,
);
