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

/** Attributes of both components, then the inbox's own. */
export const CONNECTION = [
  'base-url',
  'public-key',
  'user-id',
  'user-hash',
  'socket-url',
  'env-id',
  'sub-notification-id',
];

type Connection = ClientOptions & {
  user: { id: string; hash?: string };
  socketUrl: string | undefined;
  envId: string | undefined;
  subNotificationId: string | undefined;
};

/** Starts an element with its attributes. Frameworks set them one after the other: it waits until all are there. */
export function starterOf(host: HTMLElement, start: (connection: Connection) => void): () => void {
  let isStarting = false;
  return () => {
    if (isStarting) return;
    isStarting = true;
    queueMicrotask(() => {
      isStarting = false;
      const [baseUrl, key, id, hash, socketUrl, envId, subNotificationId] = CONNECTION.map(
        (name) => host.getAttribute(name) || undefined,
      );
      if (!host.isConnected || !baseUrl || !key || !id) return;
      start({ baseUrl, key, user: { id, hash } as Connection['user'], socketUrl, envId, subNotificationId });
    });
  };
}

/** Attributes of a text whose language nobody stated. */
export const UNKNOWN_LANGUAGE = { dir: 'auto', lang: '' };

const SAID_MAX = 5;

/** Announces a text, also one that was announced before. */
export function say(log: HTMLElement, text: string): void {
  log.append(h('p', {}, text));
  if (log.childElementCount > SAID_MAX) log.firstChild?.remove();
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
    status: h('div', { class: 'sr', role: 'log' }),
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
  back: 'M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
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

/** Hides or shows a node only when needed. */
export function hide(node: HTMLElement, isHidden: boolean): void {
  if (node.hidden !== isHidden) node.hidden = isHidden;
}

/** Gives an element properties that were set before it was defined, which hide its accessors. */
export function upgrade<T extends HTMLElement>(host: T, names: readonly (keyof T)[]): void {
  for (const name of names) {
    const value = host[name];
    if (Reflect.deleteProperty(host, name) && value !== undefined) host[name] = value;
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
