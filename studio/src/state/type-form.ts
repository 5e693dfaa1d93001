import type { Channel, NotificationType } from '../../../client/src/generated/types.ts';
import type { Step } from '../parts/steps-editor.tsx';
import type { api } from './service.ts';

export type Change = Parameters<typeof api.types.update>[1];
export const UNITS = ['seconds', 'minutes', 'hours', 'days', 'months', 'years'] as const;
export type Row = { locale: string; title: string; category: string };
export type Option = { enabled?: boolean; hour?: string; day?: string; date?: string };
export type Options = Record<string, Record<string, Option | string | undefined> | undefined>;

export function formOf(type: NotificationType) {
  const { title, category = '', required = false, translations = {}, channels, steps = [] } = type;
  const { throttling, deduplication, retention, parametersSchema } = type;
  return {
    texts: {
      ...{ title, category, required },
      rows: Object.entries(translations).map(
        ([locale, texts]): Row => ({ locale, title: texts.title ?? '', category: texts.category ?? '' }),
      ),
    },
    channels: channels as Channel[],
    options: (type.options ?? {}) as unknown as Options,
    limits: {
      max: String(throttling?.max ?? ''),
      period: String(throttling?.period ?? 1),
      unit: (throttling?.unit ?? 'hours') as (typeof UNITS)[number],
      forever: throttling?.forever ?? false,
      duration: String(deduplication?.duration ?? ''),
      days: String(retention ?? ''),
    },
    steps: steps as Step[],
    schema: parametersSchema ? JSON.stringify(parametersSchema, null, 2) : '',
  };
}
export type TypeForm = ReturnType<typeof formOf>;
type Part = keyof TypeForm;
export type PartProps<P extends Part> = { value: TypeForm[P]; set: (value: TypeForm[P]) => void };

/** What the page calls a part, and the body that saves it. */
const PARTS: { [P in Part]: [name: string, body: (value: TypeForm[P], saved: TypeForm[P]) => object] } = {
  texts: ['What recipients see', textsBody],
  channels: ['Channels', (channels) => ({ channels })],
  options: ['Options of users', (options) => ({ options })],
  limits: ['Limits', limitsBody],
  steps: ['Steps', (steps) => ({ steps: steps.length > 0 ? steps : null })],
  schema: ['Parameters', (text) => ({ parametersSchema: text.trim() === '' ? null : parsed(text) })],
};

/** The names of the parts that differ from what is saved, and the body that saves them. */
export function changesOf(form: TypeForm, saved: TypeForm): { names: string[]; body: Change } {
  const changed = (Object.keys(PARTS) as Part[]).filter(
    (part) => JSON.stringify(form[part]) !== JSON.stringify(saved[part]),
  );
  return {
    names: changed.map((part) => PARTS[part][0]),
    body: Object.assign({}, ...changed.map((part) => bodyOf(part, form, saved))),
  };
}

const bodyOf = <P extends Part>(part: P, form: TypeForm, saved: TypeForm) =>
  PARTS[part][1](form[part], saved[part]);

function textsBody({ title, category, required, rows }: TypeForm['texts'], saved: TypeForm['texts']) {
  const removed = saved.rows.map(({ locale }) => [locale, null]);
  const left = rows
    .filter((row) => row.locale.trim() !== '' && (row.title !== '' || row.category !== ''))
    .map(({ locale, title, category }) => [
      locale.trim(),
      { ...(title === '' ? {} : { title }), ...(category === '' ? {} : { category }) },
    ]);
  const translations = Object.fromEntries([...removed, ...left]);
  return { title, category: category === '' ? null : category, required, translations };
}

/** The service says what is wrong with a text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function limitsBody({ max, period, unit, forever, duration, days }: TypeForm['limits']) {
  const scope = ['userId', 'notificationId'];
  return {
    throttling: max === '' ? null : { max: Number(max), period: Number(period), unit, forever, scope },
    deduplication: duration === '' ? null : { duration: Number(duration) },
    retention: days === '' ? null : Number(days),
  };
}
