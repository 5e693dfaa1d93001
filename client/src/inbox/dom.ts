import type { ClientOptions } from '../request.ts';
import { TOKENS } from './styles.ts';

/** Servers import the components too, where there are no elements. */
export const BaseElement: typeof HTMLElement = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/** Builds an element; data only ever becomes text or attributes. */
export function h<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Attributes of both components, then those of the inbox. */
export const CONNECTION = ['base-url', 'public-key', 'user-id', 'user-hash', 'socket-url', 'env-id'];

type Connection = ClientOptions & {
  user: { id: string; hash?: string };
  socketUrl: string | undefined;
  envId: string | undefined;
};

/** Starts an element with its attributes. Frameworks set them one after the other: it waits until all are there. */
export function starterOf(host: HTMLElement, start: (connection: Connection) => void): () => void {
  let isStarting = false;
  return () => {
    if (isStarting) return;
    isStarting = true;
    queueMicrotask(() => {
      isStarting = false;
      const [baseUrl, key, id, hash, socketUrl, envId] = CONNECTION.map(
        (name) => host.getAttribute(name) || undefined,
      );
      if (!host.isConnected || !baseUrl || !key || !id) return;
      start({ baseUrl, key, user: { id, hash } as Connection['user'], socketUrl, envId });
    });
  };
}

/** Builds what both components have. */
export function sharedParts() {
  const message = h('span');
  const retry = h('button', { class: 'plain', part: 'retry' });
  const loading = h('span', { class: 'sr' });
  const bone = () => h('div', { class: 'bone' });
  const bones = [1, 2, 3].map(() => h('div', { class: 'skeleton' }, bone(), bone()));
  return {
    message,
    retry,
    problem: h('div', { class: 'problem', part: 'error', role: 'alert', hidden: '' }, message, retry),
    loading,
    skeleton: h('div', {}, loading, ...bones),
    status: h('div', { class: 'sr', role: 'status' }),
  };
}

/** Returns the sheets of a shadow root; constructed, so that a page's content security policy does not forbid them. */
export function sheetsOf(css: string): CSSStyleSheet[] {
  return [TOKENS, css].map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
}

/** Dispatches an event that leaves the shadow root; returns false when a listener prevents its default. */
export function emit(host: HTMLElement, name: string, detail?: unknown): boolean {
  return host.dispatchEvent(
    new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: true }),
  );
}

const PATHS = {
  bell: 'M18 8a6 6 0 0 0-12 0c0 7-3 9-3 9h18s-3-2-3-9M10.3 21a2 2 0 0 0 3.4 0',
  check: 'M20 6 9 17l-5-5',
  dot: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8',
  archive: 'M3 4h18v4H3zM5 8v12h14V8M10 12h4',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 7v5l3 2',
};

/** Builds a line icon that screen readers skip. */
export function icon(name: keyof typeof PATHS): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}

/** Returns the address if a browser may open it from a notification: http, https or relative. */
export function safeUrl(url: string | undefined): string | undefined {
  if (!url) return undefined;
  try {
    const { protocol, href } = new URL(url, document.baseURI);
    // A relative one has the page's own protocol, which may be file:.
    const allowed = ['http:', 'https:', new URL(document.baseURI).protocol];
    return allowed.includes(protocol) ? href : undefined;
  } catch {
    return undefined;
  }
}

/** Changes a node only when needed, so that screen readers do not repeat it. */
export function setText(node: Node, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

/** Returns the text of the attribute `text-<name>`, or the English one, with `{name}` replaced. */
export function textOf<T extends Record<string, string>>(
  host: HTMLElement,
  texts: T,
  name: keyof T & string,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const template = host.getAttribute(`text-${name}`) ?? texts[name] ?? '';
  return template.replace(/\{(\w+)\}/g, (all, key: string) => String(values[key] ?? all));
}

/** The language of the element's surroundings. */
export function languageOf(host: HTMLElement): string {
  const language = host.closest('[lang]')?.getAttribute('lang') || navigator.language;
  try {
    return Intl.getCanonicalLocales(language)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;
const RELATIVE_DAYS_MAX = 7;

/** Building a format costs more than drawing the rest of an entry. */
const formats = new Map<string, ReturnType<typeof buildFormats>>();

function buildFormats(language: string) {
  const built = {
    date: new Intl.DateTimeFormat(language, { dateStyle: 'medium' }),
    relative: new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' }),
  };
  formats.set(language, built);
  return built;
}

/** Returns "2 hours ago" for a week, then the date. */
export function timeText(date: string, language: string, nowMs: number): string {
  const { date: days, relative } = formats.get(language) ?? buildFormats(language);
  const atMs = Date.parse(date);
  // The clock of the browser may be slow: nothing arrives in the future.
  const seconds = Math.min(0, Math.round((atMs - nowMs) / 1000));
  if (-seconds > RELATIVE_DAYS_MAX * 86_400) return days.format(atMs);
  const [unit, size] = UNITS.find(([, each]) => -seconds >= each) ?? ['second', Infinity];
  return relative.format(Math.trunc(seconds / size), unit);
}
