import { useEffect, useState } from 'preact/hooks';
import { ServiceError } from '../../../client/src/errors.ts';
import type { ChannelId } from '../parts/channel.tsx';
import type { Mode } from '../parts/delivery-modes.ts';
import type { Shown } from '../parts/shown.ts';
import { faultIn } from '../state/field-problems.ts';
import { api } from '../state/service.ts';

export type Content = Record<string, string>;

/** The fields that have a value, as the service takes them. Throws if the samples are no JSON. */
export function filledContent({ samples = '', ...texts }: Content): Record<string, unknown> {
  const filled = Object.entries(texts).filter(([, value]) => value !== '');
  return { ...Object.fromEntries(filled), samples: samples.trim() === '' ? null : parsed(samples) };
}

function parsed(samples: string): unknown {
  try {
    return JSON.parse(samples);
  } catch (error) {
    throw faultIn('samples', `This is not JSON: ${(error as Error).message}`);
  }
}

/** The items of a digest in samples; undefined if there are none. */
export function itemsIn(samples: string | undefined): unknown[] | undefined {
  try {
    const { _items } = JSON.parse(samples ?? '');
    return Array.isArray(_items) && _items.length > 0 ? _items : undefined;
  } catch {
    return undefined;
  }
}

const REDRAW_MS = 200;

export function problemIn(
  error: unknown,
  field: string,
): { line: number; column: number; message: string } | undefined {
  if (!(error instanceof ServiceError)) return undefined;
  const found = error.errors.find(({ path, line }) => line && path.split('.').at(-1) === field);
  return found?.line ? { line: found.line, column: found.column ?? 1, message: found.message } : undefined;
}

type Wanted = {
  notificationId: string;
  channel: ChannelId;
  content: Content;
  mode: Mode;
  items: number;
  locale: string;
};
type Rendered = { shown?: Shown; missing: string[]; notes?: string[]; error?: unknown };

/** Renders the draft with the samples, once typing pauses. */
export function usePreview({ notificationId, channel, content, mode, items, locale }: Wanted): Rendered {
  const [rendered, setRendered] = useState<Rendered>({ missing: [] });
  const key = JSON.stringify([content, mode, items, locale]);
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(async () => {
      try {
        const { samples, ...template } = filledContent(content);
        const { _items: _, ...parameters } = (samples ?? {}) as Record<string, unknown>;
        const each = itemsIn(content.samples) ?? [parameters];
        const digest =
          mode === 'instant'
            ? {}
            : { mode, items: Array.from({ length: items }, (_, index) => each[index % each.length]) };
        const language = locale ? { locale } : {};
        const body = { template, parameters, ...digest, ...language } as Parameters<
          typeof api.templates.preview
        >[2];
        const result = (await api.templates.preview(notificationId, channel, body)) as Shown & {
          missing?: string[];
          notes?: string[];
        };
        const { missing = [], notes = [], content: inner, ...fields } = result;
        const { estimatedPrice } = fields;
        const shown = shownOf(channel, inner ? { ...(inner as Shown), estimatedPrice } : fields);
        if (isCurrent) setRendered({ shown, missing, notes });
      } catch (error) {
        if (isCurrent) setRendered((before) => ({ ...before, missing: [], error }));
      }
    }, REDRAW_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [key]);
  return rendered;
}

function shownOf(channel: ChannelId, fields: Shown): Shown {
  return channel === 'SMS' || channel === 'CALL'
    ? { ...fields, message: fields.text ?? fields.message }
    : fields;
}
